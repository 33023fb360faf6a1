import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { type Answer, answerOf } from '../protection/answer/answer-of.js';
import type { AnyError } from '../protection/answer/http-of-errors.js';
import { setQuotaHeaders } from '../protection/answer/quota-headers.js';
import { passRateLimit } from '../protection/answer/rate-limit-numbers.js';
import type { TypedExecution } from '../protection/operation.js';
import type { ProtectedOperation } from '../protection/protected-operation.js';
import type { Protection } from '../protection/protection.js';
import type { FieldResolver } from '../protection/slots/watch-resolvers.js';

/** It may run. `run` is all that most servers need; the others are its steps, for those whose execution is elsewhere. */
export interface AdmittedRequest {
  readonly admitted: true;
  /** What was asked for, parsed and validated. */
  readonly document: DocumentNode;
  /** Executes, settles the charge by what came, and makes the answer. Rejects with what `execute` rejects with. */
  run(execute: (document: DocumentNode) => ExecutionResult | Promise<ExecutionResult>): Promise<Answer>;
  /**
   * Says that it is executed from now on: before, `finish` refunds all. Answers what to execute, which may ask for more types than
   * the client did; `finish` takes them out of the result.
   * @param contextValue that of the execution, where it is not the one given to `protect`
   * @param fieldResolver that of the execution, where it is not the one given to `protect`
   * @param executedBy schema that executes it: an operation that holds a concurrency slot then ends with its client also
   *   where its execution never begins
   * @throws where the operation has ended, as by `abandon` or with its client: nothing of it may run
   */
  start(contextValue?: object, fieldResolver?: FieldResolver | null, executedBy?: GraphQLSchema): DocumentNode;
  /**
   * Settles the charge by what came, and makes the answer: the result with `extensions.cost`, and headers. Called again, it
   * answers the same. Of a result in parts pass the first, and `whenOver`.
   */
  finish(result: ExecutionResult, options?: FinishOptions): Promise<Answer>;
  /**
   * Headers that say what is left after the charge, by name in lower case: for an answer in parts, whose head goes out before all of
   * it has come. Pass what came, put together, to `finish` then.
   */
  quotaHeaders(): Record<string, string>;
  /**
   * Refunds the operation, which has not begun, and charges the fee of rejected requests. Resolves to the answer: these errors, or that
   * the caller cannot pay the fee.
   */
  reject(errors: readonly (GraphQLError | GraphQLFormattedError)[]): Promise<Answer>;
  /** Settles without a result: what has been started stays at its estimate. Does nothing after `finish`. */
  abandon(): void;
}

export interface FinishOptions {
  /** Settled when the last part of a result in parts is out, or nobody asks for more: `@defer`, `@stream`. */
  whenOver?: Promise<unknown>;
  /** It was sent elsewhere to be executed, and certainly never arrived: all is refunded. @default false */
  hasNotRun?: boolean;
  /**
   * Tokens that the operation cost, where its answer is not passed to `finish` and its cost is known otherwise. Charged where it is more than
   * the estimate. @default the estimate stands
   */
  unseenCost?: number;
}

interface AdmittedParts<Context extends object> {
  protection: Protection<Context>;
  operation: ProtectedOperation<Context>;
  contextValue: Context;
  document: DocumentNode;
  schema: GraphQLSchema;
  fieldResolver: FieldResolver | undefined;
  reject(errors: readonly AnyError[]): Promise<Answer>;
}

/** Returns what a server executes an admitted operation by. */
export function admitRequest<Context extends object>(admitted: AdmittedParts<Context>): AdmittedRequest {
  const { protection, operation, contextValue, document, schema } = admitted;
  let typed: TypedExecution | undefined;
  let started: DocumentNode | undefined;
  let finished: Promise<Answer> | undefined;

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
    return answerOf(result, parts, protection.now());
  }

  function finish(result: ExecutionResult, options: FinishOptions = {}): Promise<Answer> {
    finished ??= settle(result, options);
    return finished;
  }

  function quotaHeaders(): Record<string, string> {
    const headers = new Map<string, string>();
    setQuotaHeaders(headers, operation.partsOfCharge(), protection.now());
    return Object.fromEntries(headers);
  }

  function abandon(): void {
    if (!finished) operation.abandon();
  }

  return {
    admitted: true,
    document,
    start,
    finish,
    quotaHeaders,
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
