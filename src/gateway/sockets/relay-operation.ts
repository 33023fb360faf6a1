import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { AdmittedRequest } from '../../any-server/admitted-request.js';
import type { Protect } from '../../any-server/protect.js';
import { formatError } from '../../http/format-error.js';
import { type AddedExtensions, addedExtensions } from '../../protection/answer/answer-of.js';
import { withoutHttp } from '../../protection/answer/http-of-errors.js';
import { createMerge, type MergedParts, type ResponsePart } from '../../protection/incremental/create-merge.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { mergedResult } from '../answer/merged-result.js';
import { withExtensions } from '../answer/with-extensions.js';
import type { GatewayContext } from '../create-gateway.js';
import { resultOf, STAYS, settleFailure, writeBody } from '../forward.js';
import type { GraphqlRequest } from '../graphql-request.js';
import { printForUpstream } from '../print-for-upstream.js';
import { failureOf } from '../upstream/failure-of.js';
import { type GraphqlResult, toResult } from '../upstream/read-answer.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import type { ResultQueue } from './create-result-queue.js';
import type { UpstreamSocket } from './open-upstream-socket.js';
import { UpstreamErrors } from './read-upstream-message.js';

interface RelayedOperation {
  readonly protect: Protect<GatewayContext>;
  readonly asked: GraphqlRequest;
  readonly context: GatewayContext;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly upstream: UpstreamSocket;
  /** Maximum time in milliseconds until the API answers a query or mutation. */
  readonly timeoutMs: number;
  readonly production: boolean;
  onFailure(failure: UpstreamFailure): void;
  /** Sends a result to the client. @param json its JSON */
  next(json: string): Promise<void>;
}

/** The end of an operation: `complete`, or `error` with the JSON of a list of errors. */
type OperationEnd = { readonly errors: string } | undefined;

/**
 * Prices an operation of a socket, charges it, and forwards it if it is admitted. Resolves to the
 * last message of its client. The signal of the context ends it.
 */
export async function relayOperation(relayed: RelayedOperation): Promise<OperationEnd> {
  const { asked, context, headers, production } = relayed;
  const operation = await relayed.protect({
    query: asked.query as string | undefined,
    documentId: asked.documentId as string | undefined,
    extensions: asked.extensions,
    operationName: asked.operationName,
    variables: asked.variables as Readonly<Record<string, unknown>> | undefined,
    headers,
    contextValue: context,
    signal: context.clientGone,
  });
  if (!operation.admitted) {
    const { data, errors } = operation.answer.body;
    if (errors && (data === undefined || data === null)) return { errors: jsonOf(errors, production) };
    await relayed.next(JSON.stringify(operation.answer.body));
    return undefined;
  }
  if (context.clientGone.aborted) {
    operation.abandon();
    return undefined;
  }
  const query = printForUpstream(operation.start(), asked.operationName);
  const results = relayed.upstream.subscribe(writeBody(query, asked));
  context.clientGone.addEventListener('abort', () => void results.return?.());
  return operation.isSubscription
    ? relaySubscription(relayed, operation, results)
    : relayResults(relayed, operation, results);
}

async function relaySubscription(
  relayed: RelayedOperation,
  operation: AdmittedRequest,
  results: ResultQueue,
): Promise<OperationEnd> {
  const events = operation.events(results, { throwsErrors: true, transport: 'WEBSOCKET' });
  const stop = () => void events.return?.();
  relayed.context.clientGone.addEventListener('abort', stop);
  if (relayed.context.clientGone.aborted) stop();
  try {
    for await (const event of events) await relayed.next(results.write(event));
    return undefined;
  } catch (error) {
    return { errors: errorsOf(relayed, error) };
  } finally {
    stop();
  }
}

/** Relays the result of a query or mutation, or the parts of its result. */
async function relayResults(
  relayed: RelayedOperation,
  operation: AdmittedRequest,
  results: ResultQueue,
): Promise<OperationEnd> {
  const { timeoutMs, context } = relayed;
  const late = () => {
    throw new UpstreamFailure('UPSTREAM_TIMEOUT', { hasRun: true });
  };
  const nextResult = () => withTimeout(results.next(), timeoutMs, late);
  try {
    let step = await nextResult();
    if (!step.done && !('hasNext' in step.value)) {
      const { value } = step;
      const added = addedExtensions((await operation.finish(resultOf(value as GraphqlResult))).body);
      // `finish` has removed the fields that the client did not select.
      const result = added === undefined ? value : { ...value, extensions: { ...value.extensions, ...added } };
      await relayed.next(results.write(result));
      return undefined;
    }
    const merged = createMerge();
    if (!step.done && toResult(step.value) === undefined)
      throw new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true });
    for (; !step.done; step = await nextResult()) {
      const { value } = step;
      const text = results.write(value);
      const isLast = merged.add(value as ResponsePart);
      await relayed.next(isLast ? withExtensions(text, value, await settleParts(operation, merged)) : text);
      if (isLast) break;
    }
    return undefined;
  } catch (error) {
    if (error instanceof UpstreamErrors) {
      await operation.finish(resultOf({ errors: error.errors }));
      return { errors: error.json };
    }
    const failure = failureOf(error, context.clientGone);
    if (!context.clientGone.aborted) relayed.onFailure(failure);
    const { body } = await settleFailure(operation, failure);
    return { errors: jsonOf(body.errors ?? [], relayed.production) };
  } finally {
    // Without a last part, the charge stays at the estimate. After `finish`, this has no effect.
    operation.abandon();
    await results.return?.();
  }
}

async function settleParts(operation: AdmittedRequest, merged: MergedParts): Promise<AddedExtensions | undefined> {
  const result = mergedResult(merged);
  return addedExtensions((await operation.finish(result ? resultOf(result) : {}, result ? {} : STAYS)).body);
}

function errorsOf({ production, context, onFailure }: RelayedOperation, error: unknown): string {
  if (error instanceof UpstreamErrors) return error.json;
  if (error instanceof GraphQLError) return jsonOf([error], production);
  const failure = failureOf(error, context.clientGone);
  if (!context.clientGone.aborted) onFailure(failure);
  return jsonOf([failure.toGraphqlError()], production);
}

function jsonOf(errors: readonly (GraphQLError | GraphQLFormattedError)[], production: boolean): string {
  return JSON.stringify(errors.map((error) => formatError(withoutHttp(error), { production })));
}
