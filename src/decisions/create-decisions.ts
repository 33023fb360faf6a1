import { GraphQLError } from 'graphql';
import type { ReadingProtect } from '../any-server/protect.js';
import type { ProtectionLimiter } from '../limiter/create-limiter.js';
import type { Subject } from '../model/subject.js';
import { type Answer, answerOf } from '../protection/answer/answer-of.js';
import type { AnswerParts } from '../protection/answer/cost-extension.js';
import { LOST } from '../protection/operation.js';
import type { ProtectedOperation } from '../protection/protected-operation.js';
import type { SizedCache } from '../runtime/sized-cache.js';
import { createKeptOperations, type KeptOperation } from './create-kept-operations.js';
import type { ReceiptSeal } from './create-receipt-seal.js';
import { actualOf, claimSettlement, type ReceiptContent, receiptOf } from './decision-receipt.js';
import type { DecideRequest, SettleRequest } from './decision-request.js';
import { textOfDocument } from './text-of-document.js';

/** A decision, as `/v1/decide` returns it. */
export interface Decision {
  admitted: boolean;
  /** HTTP status with which a denied operation has to be answered; 200 if it is admitted. */
  status: number;
  /** Headers to add to the response for the client, by name in lower case. */
  headers: Record<string, string>;
  /** Extensions to add to the response for the client. */
  extensions: Record<string, unknown>;
  /** Errors with which a denied operation has to be answered. */
  errors?: NonNullable<Answer['body']['errors']>;
  /** Receipt for the settlement of an admitted operation. */
  receipt?: string;
  /** Estimated cost in tokens; null if the operation has no price. */
  cost: number | null;
  /** Time to wait before the operation runs, in milliseconds. */
  delayMs: number;
  /** Whether the decision was made without Redis. */
  degraded: boolean;
}

/** Reason why a settlement had no effect. */
export type UnsettledReason = 'INVALID_RECEIPT' | 'EXPIRED' | 'ALREADY_SETTLED' | 'DECIDED_ELSEWHERE' | 'UNAVAILABLE';

/** A settlement, as `/v1/settle` returns it. */
export interface Settlement {
  settled: boolean;
  /** Present if the settlement had no effect. */
  reason?: UnsettledReason;
  /** Whether an earlier request has settled the receipt. The other members are those of its response. */
  repeated: boolean;
  requestedCost: number | null;
  /** Actual cost in tokens; null if the estimate remains charged. */
  actualCost: number | null;
  headers: Record<string, string>;
  extensions: Record<string, unknown>;
}

/** Members of the context value with which operations of other servers are decided. */
export interface ElsewhereContext {
  subject: Subject;
  /** Name of the integration that asked for the decision. */
  integration: string;
}

/** Caller of an operation, as another server describes it. */
export type NamedCaller = Pick<DecideRequest, 'subject' | 'headers' | 'address'>;

interface DecisionsOptions {
  /** Returns the function that decides with the schema in force. */
  decide(): ReadingProtect<ElsewhereContext>['decide'];
  limiter: ProtectionLimiter;
  seal: ReceiptSeal;
  /** @throws GraphQLError if the credential is invalid, or cannot be verified in time */
  identify(caller: NamedCaller): Promise<Subject>;
  /** Returns the subject that pays the fee of a request whose caller cannot be identified. */
  payerOf(caller: NamedCaller): Subject;
  persistedTexts: SizedCache<string>;
  /** Header with the cost, for limiters at the edge that count a score. @default none */
  scoreHeader: string | undefined;
  now(): number;
}

export interface Decisions {
  /** @param bytes size of the request, by which the memory of unsettled operations is bounded */
  decide(request: DecideRequest, integration: string, bytes: number): Promise<Decision>;
  settle(request: SettleRequest): Promise<Settlement>;
  /** Rejects a request that cannot be priced, and charges the fee to its caller. */
  reject(caller: NamedCaller, errors: readonly GraphQLError[], integration: string): Promise<Decision>;
  /** Numbers of operations that wait for their settlement, and of those that were not settled. */
  readonly totals: { readonly waiting: number; readonly expired: number; readonly evicted: number };
  /** Records all unsettled operations with their estimates. */
  close(): void;
}

interface Found {
  headers: NamedCaller['headers'];
  contextValue: ElsewhereContext;
  /** Set if the caller could not be identified. */
  error?: GraphQLError;
}

type Kept = KeptOperation<AdmittedOperation, Settlement>;

interface AdmittedOperation {
  readonly operation: ProtectedOperation<ElsewhereContext>;
  readonly content: ReceiptContent;
}

/** Creates the decisions about operations that other servers execute. */
export function createDecisions(options: DecisionsOptions): Decisions {
  const { limiter, seal, identify, payerOf, persistedTexts, scoreHeader, now } = options;
  const withScore = (headers: Record<string, string>, cost: number | null) =>
    scoreHeader === undefined || cost === null ? headers : { ...headers, [scoreHeader]: String(cost) };
  const kept = createKeptOperations<AdmittedOperation, Settlement>({
    clock: now,
    // The charge stays, and slots end by themselves, so only the usage is recorded.
    onDropped: ({ operation }) => operation.finish(LOST),
  });

  /** Identifies the caller, or the subject that pays the fee if the caller cannot be identified. */
  async function find(caller: NamedCaller, integration: string): Promise<Found> {
    const { headers } = caller;
    try {
      return { headers, contextValue: { subject: await identify(caller), integration } };
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      return { headers, contextValue: { subject: payerOf(caller), integration }, error };
    }
  }

  async function rejectAs({ headers, contextValue }: Found, errors: readonly GraphQLError[]): Promise<Decision> {
    const { answer } = await options.decide()({ headers, rejection: errors, contextValue, withinMs: 0 });
    return denied(answer!, undefined);
  }

  async function decide(request: DecideRequest, integration: string, bytes: number): Promise<Decision> {
    const { operationName, variables, headers, settleWithinMs: withinMs } = request;
    const found = await find({ ...request, headers: headers && lowerCased(headers) }, integration);
    if (found.error) return rejectAs(found, [found.error]);
    const read = await textOfDocument(request, persistedTexts);
    if ('errors' in read) return rejectAs(found, read.errors);
    const { contextValue } = found;
    const { operation, answer } = await options.decide()({
      headers: found.headers,
      withinMs,
      query: read.text,
      operationName: operationName as string | undefined,
      variables: variables as Record<string, unknown> | undefined,
      contextValue,
    });
    if (answer) return denied(answer, operation);
    await read.register();
    return admitted(operation, withinMs, bytes);
  }

  function denied(
    { status, headers, body: { errors = [], extensions = {} } }: Answer,
    operation: ProtectedOperation<ElsewhereContext> | undefined,
  ): Decision {
    const priced = operation?.priced;
    return {
      admitted: false,
      status,
      headers,
      extensions,
      ...(errors.length > 0 && { errors }),
      cost: priced?.requestedCost ?? null,
      delayMs: 0,
      degraded: priced?.fee?.degraded ?? priced?.decision?.degraded ?? false,
    };
  }

  function admitted(operation: ProtectedOperation<ElsewhereContext>, withinMs: number, bytes: number): Decision {
    const priced = operation.priced!;
    const { decision } = priced;
    if (!decision?.admitted) throw new Error('expected an admitted operation');
    const expiresAtMs = now() + withinMs;
    const content = receiptOf(priced, decision.receipt, limiter, expiresAtMs);
    kept.add(content.i, { operation, content }, expiresAtMs, bytes);
    const { headers, body } = answerOf({}, operation.partsOfCharge(), now());
    return {
      admitted: true,
      status: 200,
      headers: withScore(headers, priced.requestedCost),
      extensions: body.extensions ?? {},
      receipt: seal.seal(content),
      cost: priced.requestedCost,
      delayMs: decision.delayMs,
      degraded: decision.degraded,
    };
  }

  async function settle(request: SettleRequest): Promise<Settlement> {
    const content = seal.open(request.receipt) as ReceiptContent | undefined;
    if (content === undefined) return unsettled('INVALID_RECEIPT', null);
    if (content.e <= now()) return unsettled('EXPIRED', content.q);
    const one = kept.find(content.i);
    if (!one) return settleExported(content, request);
    if (one.settled) return { ...(await one.settled), repeated: true };
    const settling = settleKept(one, request);
    one.settled = settling;
    return settling;
  }

  /** Settles an operation that this process has decided. */
  async function settleKept({ operation: { operation, content } }: Kept, request: SettleRequest): Promise<Settlement> {
    const claim = content.x ? await claimSettlement(limiter, content, now()) : 'CLAIMED';
    if (claim !== 'CLAIMED') {
      operation.finish(LOST);
      return unsettled(claim, content.q);
    }
    const { actualCost, data, errors, addedCost, hasNotRun } = request;
    if (hasNotRun) operation.hasNotRun();
    const keepsEstimate = actualCost === undefined && data === undefined && !errors?.length && !hasNotRun;
    // Without a result, the estimate is the cost. It is settled nevertheless, to release slots.
    const reportedCost = keepsEstimate ? content.q : actualCost;
    const parts = operation.finish({
      ...LOST,
      isLost: false,
      data,
      errors: errors as unknown as readonly GraphQLError[] | undefined,
      reportedCost,
      addedCost,
    });
    await operation.settlementSent();
    return settlementOf(content, parts);
  }

  function settlementOf(content: ReceiptContent, parts: AnswerParts): Settlement {
    const { headers, body } = answerOf({}, parts, now());
    return {
      settled: true,
      repeated: false,
      requestedCost: content.q,
      actualCost: parts.actualCost,
      headers: withScore(headers, parts.actualCost),
      extensions: body.extensions ?? {},
    };
  }

  /** Settles an operation that another process has decided, or that this one no longer remembers. */
  async function settleExported(content: ReceiptContent, request: SettleRequest): Promise<Settlement> {
    const { x, q } = content;
    const { actualCost, data, errors, addedCost, hasNotRun } = request;
    // Only the process that priced the operation can compute the cost of its data.
    const needsPlan = data !== undefined || Boolean(errors?.length);
    if (x === undefined || needsPlan) return unsettled('DECIDED_ELSEWHERE', q);
    const claim = await claimSettlement(limiter, content, now());
    if (claim !== 'CLAIMED') return unsettled(claim, q);
    const cost = hasNotRun ? 0 : (actualCost ?? q) + addedCost;
    const actual = hasNotRun
      ? Object.fromEntries(x.c.flatMap(({ l }) => l.map(({ id }) => [id, 0])))
      : actualOf(content, cost);
    await Promise.all(limiter.importCharge(x).map((receipt) => limiter.settle(receipt, actual)));
    const settled = { settled: true, repeated: false, requestedCost: q, actualCost: cost };
    return { ...settled, headers: {}, extensions: {} };
  }

  return {
    decide,
    settle,
    reject: async (caller, errors, integration) => {
      const found = await find({ ...caller, headers: caller.headers && lowerCased(caller.headers) }, integration);
      return rejectAs(found, found.error ? [found.error] : errors);
    },
    get totals() {
      return kept.totals;
    },
    close: () => kept.close(),
  };
}

function unsettled(reason: UnsettledReason, requestedCost: number | null): Settlement {
  const nothing = { headers: {}, extensions: {} };
  return { settled: false, reason, repeated: reason === 'ALREADY_SETTLED', requestedCost, actualCost: null, ...nothing };
}

/** Returns headers with names in lower case, as the rest of Tollgate reads them. */
function lowerCased(headers: NonNullable<DecideRequest['headers']>): Record<string, string> {
  const lowered: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    const text = typeof value === 'string' ? value : value.join(', ');
    lowered[lower] = Object.hasOwn(lowered, lower) ? `${lowered[lower]}, ${text}` : text;
  }
  return lowered;
}
