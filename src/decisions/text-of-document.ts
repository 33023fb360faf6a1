import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { SizedCache } from '../runtime/sized-cache.js';

interface SentDocument {
  query?: unknown;
  documentId?: string | undefined;
}

interface DocumentText {
  /** Text of the document. It is unchecked JSON, so it may be any value. */
  text: string | undefined;
  /** Registers the text under its id, if the request has both. Called for admitted operations. */
  register(): Promise<void>;
}

/** Returns the text of a document, which a request sends or names by its id. */
export async function textOfDocument(
  { query, documentId }: SentDocument,
  persistedTexts: SizedCache<string>,
): Promise<DocumentText | { errors: readonly GraphQLError[] }> {
  if (documentId === undefined) return { text: query as string | undefined, register: NOTHING };
  const hash = documentId.replace('sha256:', '');
  const key = `apq:${hash}`;
  if (query === undefined) {
    const text = await persistedTexts.get(key);
    return text === undefined ? { errors: [unknownDocument()] } : { text, register: NOTHING };
  }
  if (typeof query !== 'string' || createHash('sha256').update(query).digest('hex') !== hash) {
    return { errors: [mismatch()] };
  }
  return { text: query, register: () => persistedTexts.set(key, query) };
}

const NOTHING = async () => {};

/** Creates the error to which clients with automatic persisted queries react by sending the text. */
function unknownDocument(): GraphQLError {
  return new GraphQLError('PersistedQueryNotFound', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', http: { status: 200 } },
  });
}

function mismatch(): GraphQLError {
  return new GraphQLError('documentId: expected the SHA-256 of query', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  });
}
