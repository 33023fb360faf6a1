import { setImmediate as turn } from 'node:timers/promises';
import type { DocumentNode, ExecutionResult } from 'graphql';
import type { AdmittedRequest } from '../any-server/admitted-request.js';
import type { RegisteredDocument } from '../documents/registered-documents.js';
import { sha256Of } from '../documents/sha-256-of.js';
import type { DecisionRecord } from '../model/decision-record.js';
import type { Logger } from '../model/logger.js';
import type { IdentifiedSubject, Subject } from '../model/subject.js';
import { rejectMistakes } from '../options/find-mistakes.js';
import { didYouMean } from '../options/nearest-name.js';
import type { Answer } from '../protection/answer/answer-of.js';
import type { QuotaEntry } from '../protection/create-quota.js';
import { DEFAULT_TIERS } from '../rules/policy/default-tiers.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import { openTollgate } from '../tollgate/create-tollgate.js';
import type { TollgateOptions } from '../tollgate/tollgate-options.js';
import type { TestResult } from './test-result.js';

/** Options of `createTollgate` that have an effect without Redis, PostgreSQL and HTTP. */
export interface TestTollgateOptions
  extends Pick<
    TollgateOptions,
    'schema' | 'tiers' | 'rules' | 'cost' | 'mode' | 'fee' | 'denialStatus' | 'documentLimits' | 'logger'
  > {
  /** Start time of the clock. @default '2026-01-01T00:00:00Z' */
  startsAt?: Date | string;
}

/** One operation of a caller. */
export interface TestRequest {
  /** Text of the document. */
  query: string;
  operationName?: string;
  variables?: Readonly<Record<string, unknown>>;
  /** Headers of the HTTP request. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Caller: at least one of `user`, `apiKey` and `ip`, and the `tier` if it is not the default
   * tier.
   * @default an anonymous caller with the address 127.0.0.1
   */
  caller?: IdentifiedSubject;
  /**
   * App and version that have registered the document.
   * @default none: the document is not registered
   */
  registered?: Readonly<Record<'app' | 'version', string>>;
}

/**
 * Outcome of an admitted operation. Without `data` and `execute`, the operation is charged its
 * estimated cost.
 */
export interface TestOutcome {
  /** Data of the response: the operation is charged the actual cost of this data. */
  data?: unknown;
  /** Executes the document: the operation is charged the actual cost of the result. */
  execute?: (document: DocumentNode) => ExecutionResult | Promise<ExecutionResult>;
}

/** An operation that is still running and occupies its concurrency slots. */
export interface RunningOperation {
  /** Result of the decision, before the operation ends. */
  readonly result: TestResult;
  /** Ends the operation and settles its charge. A second call returns the first result. */
  finish(outcome?: TestOutcome): Promise<TestResult>;
}

/** A Tollgate in memory, with a clock that moves only when the test moves it. */
export interface TestTollgate {
  /** Prices an operation and decides about it. If it is admitted, also ends and settles it. */
  send(request: TestRequest & TestOutcome): Promise<TestResult>;
  /** Starts an operation without ending it, to test concurrency limits. */
  begin(request: TestRequest): Promise<RunningOperation>;
  /** Moves the clock forward. @throws TypeError if `ms` is not a positive number of milliseconds */
  advance(ms: number): void;
  /** Returns the current time of the clock, in milliseconds since 1970. */
  nowMs(): number;
  /** Returns the current state of each limit of a caller. Charges nothing. */
  quota(caller: IdentifiedSubject): Promise<QuotaEntry[]>;
  close(): Promise<void>;
}

/** Start of the clock: midnight, so that windows of minutes, hours and days begin together. */
const DEFAULT_START = '2026-01-01T00:00:00Z';
const SILENT: Logger = { error() {}, warn() {}, info() {} };
const ANONYMOUS: IdentifiedSubject = { ip: '127.0.0.1' };

/**
 * Creates a Tollgate for tests of tiers, rules and prices. Prices, limits, messages and responses
 * are the same as with `createTollgate`. Counters are in memory, and the test controls the clock.
 *
 * @throws TypeError that lists every mistake in the options, or in the annotations of the schema
 * @example
 * const tollgate = await createTestTollgate({ schema, tiers, rules });
 * expectDenied(await tollgate.send({ caller: { user: 'anna', tier: 'free' }, query }));
 * tollgate.advance(60_000);
 * expectAdmitted(await tollgate.send({ caller: { user: 'anna', tier: 'free' }, query }));
 */
export async function createTestTollgate(options: TestTollgateOptions): Promise<TestTollgate> {
  const { startsAt = DEFAULT_START, ...given } = options;
  let nowMs = new Date(startsAt).getTime();
  rejectMistakes('createTestTollgate', findStartMistakes(nowMs, startsAt));
  const tiers = new Set((given.tiers ?? DEFAULT_TIERS).map(({ name }) => name));
  /** Record of the current decision, set by `onDecision`. */
  let decision: DecisionRecord | undefined;
  /** Registered document of the current request. */
  let document: RegisteredDocument | undefined;
  const paidCosts = createObjectNotes<DecisionRecord, number>();
  const tollgate = await openTollgate<{ caller: IdentifiedSubject }>(
    {
      logger: SILENT,
      ...given,
      identify: ({ contextValue }) => contextValue.caller,
      onDecision: (record) => {
        decision = record;
      },
      onSettled: (record, paidCost) => paidCosts.set(record, paidCost),
    },
    undefined,
    { clock: () => nowMs, registered: { find: () => document } },
  );

  // TypeScript does not know that callbacks assign `decision`.
  const decisionOf = () => decision as DecisionRecord | undefined;

  /**
   * Resolves when all earlier operations are decided. Decisions run one after the other, because
   * `decision` can store only one record.
   */
  let decided: Promise<unknown> = Promise.resolve();

  async function decide({ caller = ANONYMOUS, query, registered, ...request }: TestRequest): Promise<RunningOperation> {
    rejectUnknownTier(caller, tiers);
    document = registered && documentOf(registered, query);
    decision = undefined;
    const protectedRequest = await tollgate.protect({ ...request, query, contextValue: { caller: { ...caller } } });
    const record = decisionOf();
    if (!protectedRequest.admitted) {
      const result = resultOf(protectedRequest.answer, record, 0);
      return { result, finish: async () => result };
    }
    const settled = (answer: Answer) => resultOf(answer, record, record ? paidCosts.get(record) : 0);
    let finished: Promise<TestResult> | undefined;
    return {
      result: resultOf({ status: 200, headers: {}, body: {} }, record, record?.chargedCost),
      finish(outcome = {}) {
        finished ??= end(protectedRequest, outcome).then(settled);
        return finished;
      },
    };
  }

  function begin(request: TestRequest): Promise<RunningOperation> {
    const operation = decided.then(() => decide(request));
    decided = operation.catch(() => undefined);
    return operation;
  }

  return {
    begin,
    async send({ data, execute, ...request }) {
      const operation = await begin(request);
      return operation.finish({ ...(data !== undefined && { data }), ...(execute && { execute }) });
    },
    advance(ms) {
      if (!(Number.isFinite(ms) && ms > 0)) {
        throw new TypeError(`advance: expected a positive number of milliseconds, got ${String(ms)}`);
      }
      nowMs += ms;
    },
    nowMs: () => nowMs,
    async quota(caller) {
      rejectUnknownTier(caller, tiers);
      return tollgate.quota(caller as Subject);
    },
    close: () => tollgate.close(),
  };
}

/**
 * Ends an admitted operation. Without data or a function to execute it, the charge stays at the
 * estimated cost.
 */
async function end(request: AdmittedRequest, { data, execute }: TestOutcome): Promise<Answer> {
  if (execute) return request.run(execute);
  request.start();
  if (data !== undefined) return request.finish({ data: data as Record<string, unknown> });
  // End it as an incremental response, whose charge stays at the estimated cost.
  const answer = await request.finish({}, { whenOver: Promise.resolve() });
  // Wait until its concurrency slots are freed, in the next turn of the event loop.
  await turn();
  return answer;
}

function documentOf({ app, version }: NonNullable<TestRequest['registered']>, text: string): RegisteredDocument {
  const hash = sha256Of(text);
  return { app, version, id: hash, hash, text, number: 0, versionNumber: 0 };
}

function resultOf(response: Answer, record: DecisionRecord | undefined, paidCost = 0): TestResult {
  const [error] = response.body.errors ?? [];
  const { code, deniedBy, retryAfterMs } = error?.extensions ?? {};
  const denied = record?.denial === undefined ? undefined : record.deniedBy;
  return {
    admitted: record !== undefined && record.denial === undefined,
    code: code as string | undefined,
    message: error?.message,
    deniedBy: denied ?? (deniedBy as string | undefined),
    retryAfterMs: retryAfterMs as number | undefined,
    shadowDeniedBy: record?.shadowDeniedBy ?? [],
    requestedCost: record?.requestedCost ?? 0,
    paidCost,
    response,
  };
}

function* findStartMistakes(startMs: number, startsAt: unknown): Iterable<string> {
  if (Number.isNaN(startMs)) {
    yield `startsAt: expected a date such as "2026-01-31T23:59:00Z", got ${JSON.stringify(startsAt)}`;
  }
}

function rejectUnknownTier({ tier }: IdentifiedSubject, tiers: ReadonlySet<string>): void {
  if (tier === undefined || tiers.has(tier)) return;
  throw new TypeError(`caller.tier: there is no tier ${JSON.stringify(tier)}${didYouMean(tier, [...tiers])}`);
}
