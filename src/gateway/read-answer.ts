import type { GraphQLFormattedError } from 'graphql';
import type { ReadShare } from './read-budget.js';
import type { UpstreamAnswer } from './upstream.js';
import { UpstreamFailure } from './upstream-failure.js';

/** An answer that was read whole. */
export interface ReadAnswer {
  text: string;
  result: GraphqlResult;
}

/** An answer that is larger than what is read: what has come so far, and the rest, to be passed on as they are. */
export interface UnreadAnswer {
  begun: Buffer[];
  rest: AsyncIterator<Buffer>;
}

export interface GraphqlResult {
  data?: Record<string, unknown> | null;
  errors?: readonly GraphQLFormattedError[];
  extensions?: Record<string, unknown>;
}

/** Reads a JSON answer, as far as its share goes. @throws UpstreamFailure for what is no answer of GraphQL */
export async function readAnswer(answer: UpstreamAnswer, share: ReadShare): Promise<ReadAnswer | UnreadAnswer> {
  const { status, headers, body } = answer;
  if (!isJson(headers['content-type']) || isEncoded(headers['content-encoding'])) {
    answer.dump();
    throw new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status });
  }
  const chunks: Buffer[] = [];
  const rest = body[Symbol.asyncIterator]();
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    chunks.push(next.value);
    if (!share.take(next.value.length)) return { begun: chunks, rest };
  }
  const text = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString();
  const result = readResult(text);
  if (result === undefined) throw new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status });
  return { text, result };
}

function isJson(contentType: string | undefined): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return mediaType === 'application/json' || mediaType === 'application/graphql-response+json';
}

function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity';
}

function readResult(text: string): GraphqlResult | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(read)) return undefined;
  const { data, errors, extensions } = read;
  if (data === undefined && errors === undefined) return undefined;
  if (data !== undefined && data !== null && !isObject(data)) return undefined;
  if (errors !== undefined && !(Array.isArray(errors) && errors.every(isObject))) return undefined;
  if (extensions !== undefined && extensions !== null && !isObject(extensions)) return undefined;
  return read as GraphqlResult;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
