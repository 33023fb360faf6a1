import { GraphQLError } from 'graphql';
import type { ReadingProtect } from '../any-server/protect.js';
import type { ProtectionLimiter } from '../limiter/create-limiter.js';
import type { AskedBy } from '../model/asked-by.js';
import type { Subject } from '../model/subject.js';
import { type Answer, answerOf } from '../protection/answer/answer-of.js';
import { LOST } from '../protection/operation.js';
import type { ProtectedOperation } from '../protection/protected-operation.js';
import { createKeptOperations, type KeptTotals } from './create-kept-operations.js';
import { MAX_RECEIPT_LETTERS, type ReceiptSeal } from './create-receipt-seal.js';
import { type AdmittedOperation, createSettlements, type OnSettlement, type Settlement } from './create-settlements.js';
import type { DecideRequest, SettleRequest } from './decide-request.js';
import { decisionFailed, isServerFailure } from './decision-failed.js';
import { decisionHeaders } from './decision-headers.js';
import { type DecisionReceipt, receiptOf } from './decision-receipt.js';
import { documentParts } from './document-parts.js';
import type { ElsewhereContext } from './elsewhere-context.js';
import { lowerCased } from './lower-cased.js';

/** A decision, as `/v1/decide` returns it. */
export interface Decision {
  admitted: boolean;
  /** HTTP status of the response to a denied operation; 200 if it is admitted. */
  status: number;
  /** Headers to add to the response for the client, by name. */
  headers: Record<string, string>;
  /** Extensions to add to the response for the client. */
  extensions: Record<string, unknown>;
  /** Data for the response, if the operation asked for its price only. */
  data?: unknown;
  /** Errors for the response to a denied operation. */
  errors?: NonNullable<Answer['body']['errors']>;
  /** Receipt for the settlement of an admitted operation. */
  receipt?: string;
  /** Text of the document to run, if the request has its id. */
  query?: string;
  /** Estimated cost in tokens; null if the operation has no price. */
  cost: number | null;
  /** Time to wait before the operation runs, in milliseconds. */
  delayMs: number;
  /** Whether the decision was made without Redis. */
  degraded: boolean;
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
  /** Header with the cost, for limiters at the edge that count a score. @default none */
  scoreHeader: string | undefined;
  onSettlement: OnSettlement;
  now(): number;
  /** Receives errors without a known cause. Such an error fails one decision or settlement only. */
  onError(error: unknown): void;
}

export interface Decisions {
  /**
   * The promise never rejects.
   * @param bytes size of the request, by which the memory of unsettled operations is bounded
   */
  decide(request: DecideRequest, by: AskedBy, bytes: number): Promise<Decision>;
  settle(request: SettleRequest): Promise<Settlement>;
  /** Rejects a request that cannot be priced, and charges the fee to its caller. */
  reject(caller: NamedCaller, errors: readonly GraphQLError[], by: AskedBy): Promise<Decision>;
  /** Numbers of operations that wait for their settlement or were not settled, by integration. */
  readonly totals: ReadonlyMap<string, KeptTotals>;
  /** Records all unsettled operations with their estimates. */
  close(): void;
}

interface Found {
  headers: NamedCaller['headers'];
  askedBy: AskedBy;
  contextValue: ElsewhereContext;
  /** Set if the caller could not be identified. */
  error?: GraphQLError;
}

/** Creates the functions that decide about operations of other servers, and settle them. */
export function createDecisions(options: DecisionsOptions): Decisions {
  const { limiter, seal, identify, payerOf, scoreHeader, onSettlement, now, onError } = options;
  const withScore = (headers: Record<string, string>, cost: number | null) =>
    scoreHeader === undefined || cost === null ? headers : { ...headers, [scoreHeader]: String(cost) };
  const kept = createKeptOperations<AdmittedOperation, Settlement>({
    clock: now,
    groupOf: ({ priced }) => priced!.askedBy!.integration,
    // The charge stays, and slots end by themselves, so only the usage is recorded.
    onDropped: (operation) => operation.finish(LOST),
  });

  /** Identifies the caller, or the subject that pays the fee if the caller cannot be identified. */
  async function find(caller: NamedCaller, askedBy: AskedBy): Promise<Found> {
    const { headers } = caller;
    try {
      return { headers, askedBy, contextValue: { subject: await identify(caller) } };
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      return { headers, askedBy, contextValue: { subject: payerOf(caller) }, error };
    }
  }

  /** Rejects a request, and charges the fee, unless the server caused the errors. */
  async function rejectAs({ error: _error, ...found }: Found, errors: readonly GraphQLError[]): Promise<Decision> {
    if (errors.some(isServerFailure)) return undecided(errors);
    const { answer } = await options.decide()({ ...found, rejection: errors, withinMs: 0 });
    return denied(answer!, undefined);
  }

  async function decideOrThrow(request: DecideRequest, by: AskedBy, bytes: number): Promise<Decision> {
    const { operationName, variables, settleWithinMs: withinMs } = request;
    const found = await find({ ...request, headers: decisionHeaders(request) }, by);
    if (found.error) return rejectAs(found, [found.error]);
    const { operation, answer, text } = await options.decide()({
      ...found,
      withinMs,
      ...documentParts(request),
      operationName: operationName as string | undefined,
      variables: variables as Record<string, unknown> | undefined,
    });
    if (answer) return denied(answer, operation);
    // The operation keeps its cost plan, whose size depends on the text, sent or stored.
    const decision = admitted(operation, withinMs, Math.max(bytes, text?.length ?? 0));
    return text === undefined ? decision : { ...decision, query: text };
  }

  const failed = (error: unknown) => {
    onError(error);
    return undecided([decisionFailed()]);
  };

  function admitted(operation: ProtectedOperation<ElsewhereContext>, withinMs: number, bytes: number): Decision {
    const priced = operation.priced!;
    const { decision } = priced;
    if (!decision?.admitted) throw new Error('expected an admitted operation');
    const expiresAtMs = now() + withinMs;
    const content = receiptOf(priced, decision.receipt, limiter, expiresAtMs);
    kept.add(content.i, operation, expiresAtMs, bytes);
    const { headers, body } = answerOf({}, operation.partsOfCharge());
    return {
      admitted: true,
      status: 200,
      headers: withScore(headers, priced.requestedCost),
      extensions: body.extensions ?? {},
      receipt: sealed(content),
      cost: priced.requestedCost,
      delayMs: decision.delayMs,
      degraded: decision.degraded,
    };
  }

  function sealed(content: DecisionReceipt): string {
    const receipt = seal.seal(content);
    if (receipt.length <= MAX_RECEIPT_LETTERS) return receipt;
    // Long names make it too long, so it omits the charge. Then only this process can settle it.
    const { x: _charge, k: _kinds, ...short } = content;
    return seal.seal(short);
  }

  return {
    decide: (request, by, bytes) => decideOrThrow(request, by, bytes).catch(failed),
    settle: createSettlements({ limiter, seal, kept, withScore, onSettlement, now, onError }),
    reject: async (caller, errors, by) => {
      const found = await find({ ...caller, headers: caller.headers && lowerCased(caller.headers) }, by);
      return rejectAs(found, found.error ? [found.error] : errors);
    },
    get totals() {
      return kept.totals;
    },
    close: () => kept.close(),
  };
}

/** Returns the rejection of a request that Tollgate cannot decide. Nothing is charged. */
function undecided(errors: readonly GraphQLError[]): Decision {
  return denied(answerOf({ errors }, undefined), undefined);
}

/** Returns the decision about an operation that is not admitted. */
export function denied(
  { status, headers, body: { data, errors = [], extensions = {} } }: Answer,
  operation: ProtectedOperation<ElsewhereContext> | undefined,
): Decision {
  const priced = operation?.priced;
  return {
    admitted: false,
    status,
    headers,
    extensions,
    ...(errors.length > 0 ? { errors } : { data: data ?? null }),
    cost: priced?.requestedCost ?? null,
    delayMs: 0,
    degraded: priced?.fee?.degraded ?? priced?.decision?.degraded ?? false,
  };
}
