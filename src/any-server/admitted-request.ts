import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql';
import type { StreamTransport } from '../model/open-stream.js';
import { type Answer, answerOf } from '../protection/answer/answer-of.js';
import type { AnyError } from '../protection/answer/http-of-errors.js';
import { setQuotaHeaders } from '../protection/answer/quota-headers.js';
import { passRateLimit } from '../protection/answer/rate-limit-numbers.js';
import type { ResponsePart } from '../protection/incremental/create-merge.js';
import type { TypedExecution } from '../protection/operation.js';
import type { ProtectedOperation } from '../protection/protected-operation.js';
import type { Protection } from '../protection/protection.js';
import type { CostReporter } from '../protection/reported-cost.js';
import type { FieldResolver } from '../protection/slots/watch-resolvers.js';
import { EventStream } from '../protection/subscriptions/event-stream.js';
import { countedParts, type IncrementalResult, watchWork } from './counted-parts.js';

/**
 * A request that may run. Most servers need only `run`. The other methods are the single steps of
 * `run`, for servers that execute operations outside a callback.
 */
export interface AdmittedRequest {
  readonly admitted: true;
  /** Document of the request, parsed and validated. */
  readonly document: DocumentNode;
  /** Schema on which Tollgate has priced the document, and validated it if the request has a text or an id. */
  readonly schema: GraphQLSchema;
  /**
   * Executes the operation, settles the charge by the result, and resolves to the response to send.
   * Rejects if `execute` rejects.
   */
  run(execute: (document: DocumentNode) => ExecutionResult | Promise<ExecutionResult>): Promise<Answer>;
  /**
   * Marks the request as executed. Without this call, `finish` refunds the whole charge. Returns
   * the document to execute. This document may select `__typename` in additional places. `finish`
   * removes these type names from the result.
   * @param contextValue context of the execution, if it is not the one given to `protect`
   * @param fieldResolver field resolver of the execution, if it is not the one given to `protect`
   * @param executedBy schema that executes the request in this process. If it is the priced schema,
   * an operation that holds a concurrency slot ends when its client disconnects, even before the
   * first resolver is called.
   * @throws if the operation has already ended, for example by `abandon` or because its client
   * disconnected. Do not execute the operation in this case.
   */
  start(contextValue?: object, fieldResolver?: FieldResolver | null, executedBy?: GraphQLSchema): DocumentNode;
  /**
   * Settles the charge by the result, and resolves to the response to send: the result with
   * `extensions.cost`, and headers. Idempotent: a second call resolves to the same response. For an
   * incremental result, pass the first part and `whenOver`. If you combine the parts, pass the
   * combined result after the last part instead.
   */
  finish(result: ExecutionResult, options?: FinishOptions): Promise<Answer>;
  /**
   * Adds to the actual cost of the operation after `start`, like `addCost` of `context.tollgate`. A
   * cost that is added after `finish` is charged separately.
   * @throws TypeError if the operation has not started, or if the tokens are invalid
   */
  addCost: CostReporter['addCost'];
  /**
   * Returns the headers that report the remaining quota after the charge, by name in lower case.
   * Use them if you send the headers before you call `finish`, for example for an incremental
   * response whose parts you combine.
   */
  quotaHeaders(): Record<string, string>;
  /**
   * Whether the operation is a subscription. Pass the events of `subscribe` to `events` then, and
   * not to `finish`.
   */
  readonly isSubscription: boolean;
  /**
   * Charges the events of a started subscription, and returns those to send to the client. Each
   * event costs its actual cost, and at least the minimum cost of an operation. A denied event is
   * not sent; the rule that denied it defines whether the subscription then goes on
   * (`onEventDenied`). If it ends, the last event has only errors. The slots of the subscription are
   * freed when the events end, or when you call `return` of the result.
   */
  events(source: AsyncIterable<ExecutionResult>, options?: EventsOptions): AsyncIterableIterator<ExecutionResult>;
  /**
   * Settles a started operation by the parts of its incremental result (`@defer`, `@stream`), and
   * returns the parts to send to the client. The first part reports the estimated cost, and the last
   * one the actual cost of all parts. When the client disconnects, call `return` of the returned
   * iterator, or pass a `signal` to `protect`. The parts that were not received then count at their
   * estimated cost, because they may have been executed.
   */
  parts(result: IncrementalResult): AsyncIterableIterator<ResponsePart>;
  /**
   * Returns `hooks` for the execution with graphql 17. After this call, the slots of an incremental
   * result are freed when graphql reports that all work of the execution has ended, also after the
   * client has disconnected.
   */
  hooks(): { asyncWorkFinished(): void };
  /**
   * Rejects an operation that has not started: refunds its charge and charges the fee of rejected
   * requests. Resolves to a response with these errors, or with the denial if the caller cannot pay
   * the fee.
   */
  reject(errors: readonly (GraphQLError | GraphQLFormattedError)[]): Promise<Answer>;
  /**
   * Settles the charge without a result. If the operation has started, its charge stays at the
   * estimate. Otherwise the charge is refunded. Does nothing after `finish`.
   */
  abandon(): void;
}

interface EventsOptions {
  /**
   * Whether the result throws the error of an early end instead of returning it as the last event.
   * For servers that then send a message of their own for errors, such as graphql-ws 6.
   * @default false
   */
  throwsErrors?: boolean;
  /**
   * Transport of the events, for the list of open subscriptions of the admin API.
   * @default the list does not name it
   */
  transport?: StreamTransport;
}

export interface FinishOptions {
  /**
   * Promise for an incremental result (`@defer`, `@stream`). Settle it when the last part is sent
   * or the client stops reading. Concurrency slots are freed then. The charge stays at the
   * estimate.
   */
  whenOver?: Promise<unknown>;
  /**
   * Whether the operation was sent to another server for execution, and it is certain that it never
   * arrived there. The whole charge is then refunded.
   * @default false
   */
  hasNotRun?: boolean;
  /**
   * Cost of the operation in tokens, if you know it but do not pass the response to `finish`. It is
   * charged instead of the estimate if it is higher.
   * @default the estimate remains charged
   */
  unseenCost?: number;
}

export interface AdmittedParts<Context extends object> {
  protection: Protection<Context>;
  operation: ProtectedOperation<Context>;
  contextValue: Context;
  document: DocumentNode;
  schema: GraphQLSchema;
  fieldResolver: FieldResolver | undefined;
  variables: Readonly<Record<string, unknown>> | undefined;
  reject(errors: readonly AnyError[]): Promise<Answer>;
}

/** Returns the functions with which a server executes an admitted operation. */
export function admitRequest<Context extends object>(admitted: AdmittedParts<Context>): AdmittedRequest {
  const { protection, operation, contextValue, document, schema } = admitted;
  let typed: TypedExecution | undefined;
  let started: DocumentNode | undefined;
  let finished: Promise<Answer> | undefined;
  let work: ReturnType<typeof watchWork> | undefined;
  const isSubscription = operation.priced?.operationType === 'SUBSCRIPTION';

  function start(
    executedWith: object = contextValue,
    fieldResolver = admitted.fieldResolver,
    executedBy?: GraphQLSchema,
  ): DocumentNode {
    if (started) return started;
    typed = operation.execute({
      schema,
      contextValue: executedWith,
      fieldResolver: fieldResolver ?? undefined,
      isExecutedBySchema: executedBy === schema,
    });
    if (executedWith !== contextValue) passRateLimit(contextValue, executedWith);
    started = typed?.document ?? document;
    return started;
  }

  async function settle(result: ExecutionResult, { whenOver, hasNotRun, unseenCost }: FinishOptions): Promise<Answer> {
    if (hasNotRun) operation.hasNotRun();
    typed?.take(result.data);
    const parts = operation.finish({
      data: result.data,
      errors: result.errors ?? undefined,
      document,
      isIncremental: whenOver !== undefined,
      unseenCost,
      whenAnswered: (done) => void (whenOver ? whenOver.then(done, done) : done()),
    });
    const sent = operation.settlementSent();
    if (sent) await sent;
    return answerOf(result, parts);
  }

  function finish(result: ExecutionResult, options: FinishOptions = {}): Promise<Answer> {
    finished ??= settle(result, options);
    return finished;
  }

  function events(
    source: AsyncIterable<ExecutionResult>,
    { throwsErrors = false, transport }: EventsOptions = {},
  ): AsyncIterableIterator<ExecutionResult> {
    if (!isSubscription) throw new TypeError('events: expected a subscription, got another operation: call finish');
    if (!started || finished) throw new TypeError('events: expected a subscription that has started and not ended');
    let onEnd = () => {};
    const whenOver = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    const answer = finish({}, { whenOver });
    return new EventStream(protection, {
      operation: operation.priced!,
      schema,
      document,
      typed,
      source,
      firstExtensions: answer.then(({ body }) => body.extensions),
      endsBy: throwsErrors ? 'THROW' : 'RESULT',
      transport,
      onEnd,
    });
  }

  function parts(result: IncrementalResult): AsyncIterableIterator<ResponsePart> {
    if (isSubscription) throw new TypeError('parts: expected a query or mutation, got a subscription: call events');
    if (!started || finished) throw new TypeError('parts: expected an operation that has started and not ended');
    return countedParts(admitted, result, {
      workEnded: work?.ended ?? Promise.resolve(),
      settleOnce: (settle) => (finished ??= settle()),
    });
  }

  function quotaHeaders(): Record<string, string> {
    const headers = new Map<string, string>();
    setQuotaHeaders(headers, operation.partsOfCharge());
    return Object.fromEntries(headers);
  }

  function abandon(): void {
    if (!finished) operation.abandon();
  }

  return {
    admitted: true,
    document,
    schema,
    start,
    finish,
    quotaHeaders,
    isSubscription,
    events,
    parts,
    hooks() {
      work ??= watchWork();
      return work.hooks;
    },
    addCost: (tokens, options) => operation.addCost(tokens, options),
    abandon,
    reject(errors) {
      abandon();
      return admitted.reject(errors);
    },
    async run(execute) {
      try {
        return await finish(await execute(start()));
      } catch (error) {
        abandon();
        throw error;
      }
    },
  };
}
