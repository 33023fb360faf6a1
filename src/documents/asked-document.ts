import type { GraphQLError } from 'graphql';
import { requestError } from '../model/errors.js';
import { MAX_ID_LENGTH } from './registered-documents.js';

/** Members of a request that may name a document instead of its text. */
interface RequestParts {
  query?: unknown;
  /** Id in the form of the GraphQL over HTTP specification. */
  documentId?: unknown;
  /** Id in the form that Relay uses. */
  doc_id?: unknown;
  extensions?: unknown;
}

/** Id in a request. If neither `id` nor `mistake` is set, the request has a text. */
interface AskedDocument {
  /** Set if the request has an id, or the hash of automatic persisted queries, instead of a text. */
  readonly id?: string;
  /** Hash of automatic persisted queries. Same as `id` if the request has no other id. */
  readonly hash?: string | undefined;
  readonly mistake?: GraphQLError;
  /** Whether the mistake concerns the hash of automatic persisted queries. */
  readonly isOfHash?: boolean;
}

const BY_TEXT: AskedDocument = {};

/**
 * Returns how a request names its document: by a text, or by an id. A mistake never contains the
 * id or the text, which may be long.
 */
export function askedDocument({ query, documentId, doc_id, extensions }: RequestParts): AskedDocument {
  const hasText = query !== undefined && query !== null && query !== '';
  const id = documentId ?? doc_id ?? undefined;
  if (id !== undefined) {
    const name = documentId === undefined || documentId === null ? 'doc_id' : 'documentId';
    if (hasText) return mistake(`${name}: expected either an id or a query, got both`);
    if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH)
      return mistake(`${name}: expected a text of 1 to ${MAX_ID_LENGTH} characters`);
    const hash = extensions === undefined ? undefined : persistedHashOf(extensions);
    return { id, hash: isHash(hash) ? hash.toLowerCase() : undefined };
  }
  const hash = hasText ? undefined : persistedHashOf(extensions);
  if (hash === undefined) return BY_TEXT;
  if (!isHash(hash)) return { mistake: unknownHash(), isOfHash: true };
  return { id: hash.toLowerCase(), hash: hash.toLowerCase() };
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value);
}

/**
 * Returns the hash of a request as with automatic persisted queries; undefined if it has none. It is
 * unchecked JSON.
 */
export function persistedHashOf(extensions: unknown): unknown {
  if (typeof extensions !== 'object' || extensions === null) return undefined;
  const { persistedQuery } = extensions as { persistedQuery?: unknown };
  if (typeof persistedQuery !== 'object' || persistedQuery === null) return undefined;
  return (persistedQuery as { sha256Hash?: unknown }).sha256Hash ?? null;
}

function mistake(detail: string): AskedDocument {
  return { mistake: requestError('BAD_REQUEST', detail) };
}

/** Returns the error of a request whose id is unknown. */
export function unknownDocument(): GraphQLError {
  return requestError('DOCUMENT_NOT_FOUND');
}

/** Returns the error to which clients with automatic persisted queries react by sending the text. */
export function unknownHash(): GraphQLError {
  return requestError('PERSISTED_QUERY_NOT_FOUND');
}
