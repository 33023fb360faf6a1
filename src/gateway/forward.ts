import { type DocumentNode, GraphQLError, type GraphQLFormattedError, visit } from 'graphql';
import type { AdmittedRequest } from '../any-server/admitted-request.js';
import { JSON_TYPE } from '../http/answer-batch.js';
import { formatError } from '../http/format-error.js';
import { outgoing } from '../http/reject-request.js';
import type { Outgoing } from '../http/write-answer.js';
import { type Answer, addedExtensions } from '../protection/answer/answer-of.js';
import type { CostExtension } from '../protection/answer/cost-extension.js';
import { withoutHttp } from '../protection/answer/http-of-errors.js';
import { timerMs } from '../runtime/schedule.js';
import { acceptForUpstream } from './answer/accept-for-upstream.js';
import { createSplitter } from './answer/create-splitter.js';
import { passParts } from './answer/pass-parts.js';
import { bytesWithExtensions } from './answer/with-extensions.js';
import type { Exchange } from './exchange.js';
import type { GraphqlRequest } from './graphql-request.js';
import { headersForCaller, headersForUpstream } from './headers-for-upstream.js';
import { printForUpstream } from './print-for-upstream.js';
import type { EventFormat } from './subscriptions/event-format.js';
import { readUpstreamEvents } from './subscriptions/read-upstream-events.js';
import { relayEvents } from './subscriptions/relay-events.js';
import { createPace } from './upstream/create-pace.js';
import { createSkimStore } from './upstream/create-skim-store.js';
import type { UpstreamAnswer } from './upstream/create-upstream-sender.js';
import { failureOf } from './upstream/failure-of.js';
import { type GraphqlResult, isEncoded, notGraphql, readAnswer } from './upstream/read-answer.js';
import { UpstreamFailure } from './upstream/upstream-failure.js';

interface Forwarded {
  isQuery: boolean;
  isBatched: boolean;
  /** Form in which the client receives a subscription; undefined for other operations. */
  eventFormat: EventFormat | undefined;
}

/**
 * Forwards an operation to the upstream. The gateway prints the request again from the document
 * that it priced. The upstream never receives the caller's text, in which it might find another
 * operation.
 */
export async function forward(
  exchange: Exchange,
  asked: Pick<GraphqlRequest, 'operationName' | 'variables' | 'exactVariables'>,
  operation: AdmittedRequest,
  { isQuery, isBatched, eventFormat }: Forwarded,
): Promise<Outgoing> {
  const { request, clientGone, caller } = exchange;
  const { addressOf, protocolOf, headers, timeoutMs, production, onFailure } = exchange.options;
  const upstream = exchange.options[eventFormat ? 'subscriptions' : 'upstream'];
  const stop = new AbortController();
  const { signal } = stop;
  if (clientGone.aborted) stop.abort();
  else clientGone.addEventListener('abort', () => stop.abort());
  const timer = setTimeout(giveUp, timerMs(timeoutMs), stop);
  let answer: UpstreamAnswer | undefined;
  try {
    const document = operation.start();
    const isTyped = document !== operation.document;
    const accept =
      eventFormat?.accept ??
      acceptForUpstream(request.headers.accept, {
        multipart: !isBatched && traitsOf(document).comesInParts,
        // The type names added for pricing must be removed from the response. The gateway can remove
        // them only from a single JSON document.
        events: !isBatched && !isTyped,
      });
    const forwarding = { headers: request.headers, protocol: protocolOf(request), accept };
    answer = await upstream.ask({
      body: writeBody(printForUpstream(document, asked.operationName), asked),
      headers: headersForUpstream(forwarding, addressOf(request), headers),
      signal,
      caller,
      isQuery,
    });
    const mediaType = answer.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (PARTS.has(mediaType) && accept.includes(mediaType)) {
      return eventFormat
        ? receiveEvents(exchange, operation, answer, { format: eventFormat, stop })
        : await receiveParts(exchange, operation, answer, signal);
    }
    return await receive(exchange, operation, answer, { isBatched, isTyped, signal });
  } catch (error) {
    answer?.dump();
    const failure = failureOf(error, signal);
    if (!clientGone.aborted) onFailure(failure);
    // An operation that may have run is charged its estimate. Otherwise operations that make the
    // upstream fail would be free.
    return ownAnswer(await settleFailure(operation, failure), production);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the JSON of a request to the upstream. */
export function writeBody(
  query: string,
  { operationName, variables, exactVariables }: Pick<GraphqlRequest, 'operationName' | 'variables' | 'exactVariables'>,
): string {
  if (exactVariables === undefined) return JSON.stringify({ query, operationName, variables });
  return `${JSON.stringify({ query, operationName }).slice(0, -1)},"variables":${exactVariables}}`;
}

function giveUp(stop: AbortController): void {
  stop.abort(new UpstreamFailure('UPSTREAM_TIMEOUT', { hasRun: true }));
}

const PARTS = new Set(['multipart/mixed', 'text/event-stream']);

interface Received {
  isBatched: boolean;
  /** Whether Tollgate added type names to the document, which the caller did not select. */
  isTyped: boolean;
  signal: AbortSignal;
}

async function receive(
  exchange: Exchange,
  operation: AdmittedRequest,
  answer: UpstreamAnswer,
  { isBatched, isTyped, signal }: Received,
): Promise<Outgoing> {
  const { status } = answer;
  const { document } = operation;
  // A skim (`create-skim.ts`) does not read type names, but the price may depend on them.
  const skim = isTyped || traitsOf(document).asksForTypes ? undefined : (bytes: Buffer) => skims.read(document, bytes);
  const pace = createPace(exchange.options.timeoutMs);
  const read = await readAnswer(answer, exchange.share, pace, { skim, isRewritten: isTyped });
  if ('result' in read) {
    const { bytes, result, restoreNumbers = (json) => json } = read;
    const settled = await operation.finish(resultOf(result));
    const added = addedExtensions(settled.body);
    // A response with errors is priced by the requested fields, so its few bytes would distort the
    // rate.
    if (result.data && !result.errors) learnRate(exchange, document, added?.cost, bytes.length);
    // `finish` has removed the fields that the caller did not select.
    const shown = isTyped ? Buffer.from(restoreNumbers(JSON.stringify(result))) : bytes;
    return { status, headers: headersOf(answer, settled.headers), body: bytesWithExtensions(shown, result, added) };
  }
  if (isBatched) throw new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status });
  // The response is too large to be parsed, so it keeps the type names that were added for pricing.
  const headers = headersOf(answer, operation.quotaHeaders());
  const { 'content-length': length } = answer.headers;
  if (length !== undefined) headers.push(['content-length', length]);
  const rest = chargeByBytes(read.rest, exchange, operation);
  return { status, headers, body: reportBreaks(rest, exchange, signal) };
}

async function receiveParts(
  exchange: Exchange,
  operation: AdmittedRequest,
  answer: UpstreamAnswer,
  signal: AbortSignal,
): Promise<Outgoing> {
  const { status, headers } = answer;
  const splitter = isEncoded(headers) ? undefined : createSplitter(headers['content-type']);
  if (!splitter) throw notGraphql(answer);
  const settle = async (result: GraphqlResult | undefined) => {
    // Without a result, the number of forwarded bytes determines the cost at the end.
    return result && addedExtensions((await operation.finish(resultOf(result))).body);
  };
  const pieces = await passParts({
    answer,
    splitter,
    share: exchange.share,
    pace: createPace(exchange.options.timeoutMs),
    settle,
  });
  return {
    status,
    headers: headersOf(answer, operation.quotaHeaders()),
    body: reportBreaks(chargeByBytes(pieces, exchange, operation), exchange, signal),
  };
}

function receiveEvents(
  exchange: Exchange,
  operation: AdmittedRequest,
  answer: UpstreamAnswer,
  { format, stop }: { format: EventFormat; stop: AbortController },
): Outgoing {
  const splitter = isEncoded(answer.headers) ? undefined : createSplitter(answer.headers['content-type']);
  if (!splitter) throw notGraphql(answer);
  const { share, over, clientGone } = exchange;
  const { heartbeatMs, production, onFailure } = exchange.options;
  const events = readUpstreamEvents({ answer, splitter, share, close: () => stop.abort() });
  const headers = headersOf(answer, operation.quotaHeaders());
  headers.push(['content-type', format.contentType], ['cache-control', 'no-store']);
  // Without this header, a buffering proxy would delay the events.
  headers.push(['x-accel-buffering', 'no']);

  function shown(error: unknown): GraphQLFormattedError {
    if (error instanceof GraphQLError) return formatError(withoutHttp(error), { production });
    const failure = failureOf(error, stop.signal);
    if (!clientGone.aborted) onFailure(failure);
    return formatError(withoutHttp(failure.toGraphqlError()), { production });
  }
  const body = relayEvents({ operation, events, format, heartbeatMs, over, shown });
  return { status: answer.status, headers, body };
}

/**
 * Updates the byte rate from the cost that the response already contains, so that the response is
 * not counted again.
 */
function learnRate(
  { options: { byteRate } }: Exchange,
  document: DocumentNode,
  cost: CostExtension | undefined,
  bytes: number,
): void {
  const actual = cost?.actualQueryCost;
  if (typeof actual === 'number') byteRate.learn(document, actual, bytes);
}

/**
 * Passes on the pieces of a response. At the end it settles the operation by their number of bytes,
 * unless the operation is already settled. Without this, a response that is not parsed could cost
 * far more than its estimate. Settlement also happens if writing never began.
 */
function chargeByBytes(
  pieces: AsyncIterable<Buffer>,
  { over, options: { byteRate } }: Exchange,
  operation: AdmittedRequest,
): AsyncIterable<Buffer> {
  let bytes = 0;
  over.then(() => operation.finish({}, { ...STAYS, unseenCost: byteRate.costOf(operation.document, bytes) }));
  return {
    async *[Symbol.asyncIterator]() {
      for await (const piece of pieces) {
        bytes += piece.length;
        yield piece;
      }
    },
  };
}

function headersOf(answer: UpstreamAnswer, quota: Readonly<Record<string, string>>): [string, string | string[]][] {
  const contentType = answer.headers['content-type'] ?? JSON_TYPE;
  const headers = headersForCaller(answer.headers);
  headers.push(['content-type', contentType]);
  for (const name in quota) headers.push([name, quota[name]!]);
  return headers;
}

/**
 * Reports a failure in the middle of a response. The client can no longer receive an error for it.
 */
async function* reportBreaks(
  pieces: AsyncIterable<Buffer>,
  { clientGone, options: { onFailure } }: Exchange,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } catch (error) {
    if (!clientGone.aborted) onFailure(failureOf(error, signal));
    throw error;
  }
}

/** Properties that all responses to a document share. */
interface DocumentTraits {
  /** Whether the document requests an incremental response. */
  readonly comesInParts: boolean;
  /** Whether the document selects the types of objects. */
  readonly asksForTypes: boolean;
}

const knownTraits = new WeakMap<DocumentNode, DocumentTraits>();
const skims = createSkimStore(8 * 2 ** 20);

function traitsOf(document: DocumentNode): DocumentTraits {
  const known = knownTraits.get(document);
  if (known !== undefined) return known;
  let comesInParts = false;
  let asksForTypes = false;
  visit(document, {
    Directive({ name }) {
      if (name.value === 'defer' || name.value === 'stream') comesInParts = true;
    },
    Field({ name }) {
      if (name.value === '__typename') asksForTypes = true;
    },
  });
  const traits = { comesInParts, asksForTypes };
  knownTraits.set(document, traits);
  return traits;
}

/** Option of `finish` that leaves the charge at the estimate. */
export const STAYS = { whenOver: Promise.resolve() };

/** Settles an operation that the upstream has not answered. */
export function settleFailure(operation: AdmittedRequest, failure: UpstreamFailure): Promise<Answer> {
  const errors = [failure.toGraphqlError()];
  return operation.finish({ errors }, failure.details.hasRun ? STAYS : { hasNotRun: true });
}

/**
 * Converts a result for settlement. Statuses and headers in the errors of the upstream are removed,
 * because they do not apply to this server.
 */
export function resultOf({ data, errors }: GraphqlResult) {
  if (errors === undefined) return data === undefined ? {} : { data };
  const shown = errors.map(({ message, path }) => ({ message, path })) as unknown as GraphQLError[];
  return data === undefined ? { errors: shown } : { data, errors: shown };
}

/** Converts a response that this gateway created itself. */
export function ownAnswer(answer: Answer, production: boolean): Outgoing {
  const { body } = answer;
  const errors = body.errors?.map((error) => formatError(error, { production }));
  return outgoing(errors ? { ...answer, body: { ...body, errors } } : answer);
}
