import type { GraphQLRequest, GraphQLRequestContext } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { findDocument } from '../documents/find-document.js';
import type { RegisteredDocument } from '../documents/registered-documents.js';
import type { Protection } from '../protection/protection.js';

interface RequestDocument {
  /** Registered document whose id the request has. */
  readonly registered?: RegisteredDocument | undefined;
  /** Error of an id that is invalid, or that no published version has. */
  readonly rejection?: GraphQLError;
}

/**
 * Finds the registered document of a request with an id. Apollo Server itself checks a hash with a
 * text, and finds the texts of automatic persisted queries.
 */
export async function documentOfRequest<Context extends object>(
  { registered }: Pick<Protection<Context>, 'registered'>,
  { request }: Pick<GraphQLRequestContext<Context>, 'request'>,
): Promise<RequestDocument> {
  const { query, extensions, http } = request;
  try {
    const stores = { registered, persistedTexts: undefined };
    const found = await findDocument(stores, { query, extensions, ...idsIn(request) }, (name) =>
      http?.headers.get(name),
    );
    return found instanceof GraphQLError ? { rejection: found } : found;
  } catch (error) {
    if (error instanceof GraphQLError) return { rejection: error };
    throw error;
  }
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
  return { documentId, doc_id };
}

/** Replaces the id of a request with the text of its document. */
export function setRegistered(request: GraphQLRequest, { text }: RegisteredDocument): void {
  request.query = text;
  if (request.extensions?.['persistedQuery'] === undefined) return;
  const { persistedQuery: _hash, ...extensions } = request.extensions;
  request.extensions = extensions;
}
