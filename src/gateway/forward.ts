import { type DocumentNode, type GraphQLError, print, visit } from 'graphql';
import type { Answer } from '../any-server/answer-of.js';
import type { AdmittedRequest } from '../any-server/protect.js';
import { hideDetails } from '../http/http-error.js';
import { timerMs } from '../model/schedule.js';
import { Stop, type StopSignal } from '../model/stop.js';
import type { Exchange } from './exchange.js';
import { headersForCaller, headersForUpstream } from './forwarded-headers.js';
import type { GraphqlRequest } from './graphql-request.js';
import { acceptForUpstream } from './parts/accept-parts.js';
import { passParts } from './parts/pass-parts.js';
import { createSplitter } from './parts/split-parts.js';
import { type GraphqlResult, isEncoded, notGraphql, readAnswer } from './read-answer.js';
import { createPace } from './receive/keep-pace.js';
import { createSkimStore } from './receive/skim-store.js';
import { failureOf, type UpstreamAnswer } from './upstream.js';
import { UpstreamFailure } from './upstream-failure.js';
import { bytesWithCost } from './with-cost.js';
import type { Outgoing } from './write-answer.js';

export interface Forwarded {
  isQuery: boolean;
  isBatched: boolean;
}

/**
 * Asks the upstream. What it is sent is written anew from what was priced: nothing else of the request can mean another
 * operation.
 */
export async function forward(
  exchange: Exchange,
  { query, operationName, variables }: GraphqlRequest,
  operation: AdmittedRequest,
  { isQuery, isBatched }: Forwarded,
): Promise<Outgoing> {
  const { request, clientGone, caller } = exchange;
  const { upstream, addressOf, protocolOf, headers, timeoutMs, production, onFailure } = exchange.options;
  const signal = new Stop();
  if (clientGone.aborted) signal.abort();
  else clientGone.addEventListener('abort', () => signal.abort());
  const timer = setTimeout(giveUp, timerMs(timeoutMs), signal);
  let answer: UpstreamAnswer | undefined;
  try {
    const document = operation.start();
    const isTyped = document !== operation.document;
    const sent = { query: isTyped ? print(document) : query, operationName, variables };
    const accept = acceptForUpstream(request.headers.accept, {
      multipart: !isBatched && traitsOf(document).comesInParts,
      // Types would have to be taken out of what comes: that is done of one JSON alone.
      events: !isBatched && !isTyped,
    });
    const forwarding = { headers: request.headers, protocol: protocolOf(request), accept };
    answer = await upstream.ask({
      body: JSON.stringify(sent),
      headers: headersForUpstream(forwarding, addressOf(request), headers),
      signal,
      caller,
      isQuery,
    });
    const mediaType = answer.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (PARTS.has(mediaType) && accept.includes(mediaType))
      return await receiveParts(exchange, operation, answer, signal);
    return await receive(exchange, operation, answer, { isBatched, isTyped, signal });
  } catch (error) {
    answer?.dump();
    const failure = failureOf(error, signal);
    if (!clientGone.aborted) onFailure(failure);
    // What may have run stays at its estimate: else an upstream that is made to fail would be free.
    return ownAnswer(await settleFailure(operation, failure), production);
  } finally {
    clearTimeout(timer);
  }
}

function giveUp(stop: Stop): void {
  stop.abort(new UpstreamFailure('UPSTREAM_TIMEOUT', { hasRun: true }));
}

const PARTS = new Set(['multipart/mixed', 'text/event-stream']);

interface Received {
  isBatched: boolean;
  /** The document asked for more than its caller did. */
  isTyped: boolean;
  signal: StopSignal;
}

async function receive(
  exchange: Exchange,
  operation: AdmittedRequest,
  answer: UpstreamAnswer,
  { isBatched, isTyped, signal }: Received,
): Promise<Outgoing> {
  const { status } = answer;
  const { document } = operation;
  // A type that was asked for may tell the price.
  const skim = isTyped || traitsOf(document).asksForTypes ? undefined : (bytes: Buffer) => skims.read(document, bytes);
  const read = await readAnswer(answer, exchange.share, createPace(exchange.options.timeoutMs), skim);
  if ('result' in read) {
    const { bytes, result } = read;
    const settled = await operation.finish(resultOf(result));
    const cost = settled.body.extensions?.cost;
    // `finish` has taken out what its caller did not ask for.
    const shown = isTyped ? Buffer.from(JSON.stringify(result)) : bytes;
    return { status, headers: headersOf(answer, settled.headers), body: bytesWithCost(shown, result, cost) };
  }
  if (isBatched) throw new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status });
  // Too large to be read: it stays at its estimate, and keeps the types that the price has asked for.
  const settled = await operation.finish({}, { whenOver: exchange.over });
  const headers = headersOf(answer, settled.headers);
  const { 'content-length': length } = answer.headers;
  if (length !== undefined) headers.push(['content-length', length]);
  return { status, headers, body: reportBreaks(read.rest, exchange, signal) };
}

async function receiveParts(
  exchange: Exchange,
  operation: AdmittedRequest,
  answer: UpstreamAnswer,
  signal: StopSignal,
): Promise<Outgoing> {
  const { status, headers } = answer;
  const splitter = isEncoded(headers) ? undefined : createSplitter(headers['content-type']);
  if (!splitter) throw notGraphql(answer);
  const settle = async (result: GraphqlResult | undefined) => {
    const settled = await (result ? operation.finish(resultOf(result)) : operation.finish({}, STAYS));
    return settled.body.extensions?.cost;
  };
  const pieces = await passParts({
    answer,
    splitter,
    share: exchange.share,
    pace: createPace(exchange.options.timeoutMs),
    settle,
  });
  // However it ends, also where it is never begun to be written.
  exchange.over.then(() => settle(undefined));
  return {
    status,
    headers: headersOf(answer, operation.quotaHeaders()),
    body: reportBreaks(pieces, exchange, signal),
  };
}

function headersOf(answer: UpstreamAnswer, quota: Readonly<Record<string, string>>): Outgoing['headers'] {
  const contentType = answer.headers['content-type'] ?? JSON_TYPE;
  const headers = headersForCaller(answer.headers);
  headers.push(['content-type', contentType]);
  for (const name in quota) headers.push([name, quota[name]!]);
  return headers;
}

/** An answer that ends in the middle can tell its reader nothing any more. */
async function* reportBreaks(
  pieces: AsyncIterable<Buffer>,
  { clientGone, options: { onFailure } }: Exchange,
  signal: StopSignal,
): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } catch (error) {
    if (!clientGone.aborted) onFailure(failureOf(error, signal));
    throw error;
  }
}

/** What is known of all answers to a document. */
interface DocumentTraits {
  /** It asks for an answer in parts. */
  readonly comesInParts: boolean;
  /** It asks for the types of objects. */
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

export const JSON_TYPE = 'application/json; charset=utf-8';
const STAYS = { whenOver: Promise.resolve() };

function settleFailure(operation: AdmittedRequest, failure: UpstreamFailure): Promise<Answer> {
  const errors = [failure.toGraphqlError()];
  return operation.finish({ errors }, failure.details.hasRun ? STAYS : { hasNotRun: true });
}

/** Statuses and headers that the upstream writes into its errors are not for this server. */
function resultOf({ data, errors }: GraphqlResult) {
  if (errors === undefined) return data === undefined ? {} : { data };
  const shown = errors.map(({ message, path }) => ({ message, path })) as unknown as GraphQLError[];
  return data === undefined ? { errors: shown } : { data, errors: shown };
}

/** What was answered here and not by the upstream. */
export function ownAnswer({ status, headers, body }: Answer, production: boolean): Outgoing {
  const shown = production && body.errors ? { ...body, errors: body.errors.map(hideDetails) } : body;
  return {
    status,
    headers: [['content-type', JSON_TYPE], ...Object.entries(headers)],
    body: JSON.stringify(shown),
  };
}
