import type { IncomingHttpHeaders } from 'node:http';
import type { GraphQLFormattedError } from 'graphql';
import { isObject } from '../../runtime/is-object.js';
import type { Pace } from './create-pace.js';
import type { UpstreamAnswer } from './create-upstream-sender.js';
import { type ExactNumbers, findInexactNumbers } from './exact-numbers.js';
import type { ReadShare } from './read-budget.js';
import { UpstreamFailure } from './upstream-failure.js';

/** A response that was read completely. */
interface ReadAnswer {
  bytes: Buffer;
  /** Parsed response. If the `skim` has read it, all of its scalars are `true`. */
  result: GraphqlResult;
  /** Restores numbers that JavaScript cannot represent in the JSON of the result. */
  restoreNumbers?: ExactNumbers['restore'];
}

/** A response above its share of the memory budget. The gateway passes it on unchanged. */
interface UnreadAnswer {
  rest: AsyncIterable<Buffer>;
}

export interface GraphqlResult {
  data?: Record<string, unknown> | null;
  errors?: readonly GraphQLFormattedError[];
  extensions?: Record<string, unknown>;
}

/** Reads a response like `Skim.read` of create-skim.ts. */
type Skimmer = (bytes: Buffer) => Record<string, unknown> | undefined;

interface ReadOptions {
  /**
   * Fast reader for a response whose scalar values are not needed. Parsing all of them would take
   * longer than all other processing.
   */
  skim?: Skimmer | undefined;
  /**
   * Whether the result is serialized again and its numbers must therefore stay exact.
   * @default false
   */
  isRewritten?: boolean;
}

/**
 * Reads a JSON response, within its share of the budget.
 * @throws UpstreamFailure if it is not a GraphQL response
 */
export async function readAnswer(
  answer: UpstreamAnswer,
  share: ReadShare,
  pace: Pace,
  { skim, isRewritten = false }: ReadOptions = {},
): Promise<ReadAnswer | UnreadAnswer> {
  const { headers, body } = answer;
  if (!isJson(headers['content-type']) || isEncoded(headers)) throw notGraphql(answer);
  const chunks: Buffer[] = [];
  for (let next = await body.next(); !next.done; next = await body.next()) {
    chunks.push(next.value);
    if (!share.take(next.value.length)) return { rest: passOn(chunks, pace.of(body), share) };
  }
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  const skimmed = skim && skimResult(skim, bytes);
  if (skimmed !== undefined) return { bytes, result: skimmed };
  const text = bytes.toString();
  const result = readResult(text);
  if (result === undefined) throw notGraphql(answer);
  const exact = isRewritten ? findInexactNumbers(text) : undefined;
  return exact ? { bytes, result: readResult(exact.text)!, restoreNumbers: exact.restore } : { bytes, result };
}

/** Passes on the pieces received so far, releasing each of them, and then the rest. */
async function* passOn(begun: Buffer[], body: AsyncIterable<Buffer>, share: ReadShare): AsyncGenerator<Buffer> {
  for (let piece = begun.shift(); piece; piece = begun.shift()) {
    yield piece;
    share.releaseBytes(piece.length);
  }
  yield* body;
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json' || contentType === 'application/json; charset=utf-8') return true;
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return mediaType === 'application/json' || mediaType === 'application/graphql-response+json';
}

/** Returns whether a response is compressed, although an uncompressed one was requested. */
export function isEncoded({ 'content-encoding': contentEncoding }: IncomingHttpHeaders): boolean {
  return contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity';
}

/**
 * Returns the failure for a response that cannot be passed on, with the reason and how to fix it.
 */
export function notGraphql({ status, headers }: Pick<UpstreamAnswer, 'status' | 'headers'>): UpstreamFailure {
  if (status === 431) return new UpstreamFailure('HEADERS_TOO_LARGE', { hasRun: true, status });
  return new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status, why: whyNotGraphql(status, headers) });
}

function whyNotGraphql(status: number, headers: IncomingHttpHeaders): string {
  const { location, 'content-encoding': encoding, 'content-type': contentType } = headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    return `it redirects to ${shown(location)}, and the gateway follows no redirects: set --upstream to the final address`;
  }
  if (isEncoded(headers)) {
    return `its encoding is ${shown(encoding!)}, although the request accepts none: make the API, or the proxy in front of it, respect Accept-Encoding`;
  }
  if (!isJson(contentType))
    return `its content type is ${contentType === undefined ? 'not given' : shown(contentType)}`;
  return 'it is not a complete JSON object with data or errors';
}

/** Quotes text of an API, shortened for a log line. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

/** Reads a result with a skim. Returns undefined if the response must be parsed instead. */
function skimResult(skim: Skimmer, bytes: Buffer): GraphqlResult | undefined {
  const skimmed = skim(bytes);
  return skimmed === undefined || 'errors' in skimmed ? undefined : toResult(skimmed);
}

function readResult(text: string): GraphqlResult | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  return toResult(read);
}

/** Returns a value as a result; undefined if it does not have the form of one. */
export function toResult(read: unknown): GraphqlResult | undefined {
  if (!isObject(read)) return undefined;
  const { data, errors, extensions } = read;
  if (data === undefined && errors === undefined) return undefined;
  if (data !== undefined && data !== null && !isObject(data)) return undefined;
  if (errors !== undefined && !(Array.isArray(errors) && errors.every(isObject))) return undefined;
  if (extensions !== undefined && extensions !== null && !isObject(extensions)) return undefined;
  return read as GraphqlResult;
}
