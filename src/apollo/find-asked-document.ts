import type { GraphQLRequest, GraphQLRequestContext } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { askedDocument, unknownDocument } from '../documents/asked-document.js';
import { clientNameOf, type RegisteredDocument } from '../documents/registered-documents.js';
import type { Protection } from '../protection/protection.js';
import { isPromise } from '../runtime/is-promise.js';

interface FoundDocument {
  readonly registered?: RegisteredDocument | undefined;
  /** Error of an id that is invalid, or that no published version has. */
  readonly rejection?: GraphQLError;
}

const BY_TEXT: FoundDocument = {};

/**
 * Finds the registered document of a request with an id. An unknown hash of an automatic persisted
 * query is left to Apollo Server, which may have its text.
 */
export function findAskedDocument<Context extends object>(
  { registered: documents }: Pick<Protection<Context>, 'registered'>,
  { request }: Pick<GraphQLRequestContext<Context>, 'request'>,
): FoundDocument | Promise<FoundDocument> {
  const { query, extensions } = request;
  const ids = idsIn(request);
  // Apollo Server itself checks a hash with a text.
  const asked = askedDocument({ query, ...ids, ...(query === undefined && { extensions }) });
  const hasId = ids !== undefined;
  if (asked.mistake) return hasId ? { rejection: asked.mistake } : BY_TEXT;
  if (asked.id === undefined) return BY_TEXT;
  const toResult = (registered: RegisteredDocument | undefined): FoundDocument => {
    if (registered) return { registered };
    return hasId ? { rejection: unknownDocument() } : BY_TEXT;
  };
  const found = documents?.find(
    asked.id,
    clientNameOf((name) => request.http?.headers.get(name)),
  );
  if (!isPromise(found)) return toResult(found);
  return found.then(toResult, (error: unknown) => {
    if (error instanceof GraphQLError) return { rejection: error };
    throw error;
  });
}

/** Returns the ids of a request that Apollo Server does not read. */
function idsIn({ http }: GraphQLRequest): { documentId?: unknown; doc_id?: unknown } | undefined {
  if (http === undefined) return undefined;
  if (http.method === 'GET') {
    if (!/[?&](documentId|doc_id)=/.test(http.search)) return undefined;
    const parameters = new URLSearchParams(http.search);
    return { documentId: parameters.get('documentId'), doc_id: parameters.get('doc_id') };
  }
  const { body } = http;
  if (typeof body !== 'object' || body === null) return undefined;
  const { documentId, doc_id } = body as { documentId?: unknown; doc_id?: unknown };
  return (documentId ?? doc_id ?? undefined) === undefined ? undefined : { documentId, doc_id };
}

/** Replaces the id of a request with the text of its document. */
export function setRegistered(request: GraphQLRequest, { text }: RegisteredDocument): void {
  request.query = text;
  if (request.extensions?.['persistedQuery'] === undefined) return;
  const { persistedQuery: _hash, ...extensions } = request.extensions;
  request.extensions = extensions;
}
