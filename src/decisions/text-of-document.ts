import { GraphQLError } from 'graphql';
import { unknownDocument } from '../documents/asked-document.js';
import type { ClientName, RegisteredDocument, RegisteredDocuments } from '../documents/registered-documents.js';
import { sha256Of } from '../documents/sha-256-of.js';
import type { SizedCache } from '../runtime/sized-cache.js';

interface SentDocument {
  query?: unknown;
  documentId?: string | undefined;
}

/** Stores of documents that have ids. */
export interface DocumentStores {
  /** Texts of automatic persisted queries. */
  persistedTexts: SizedCache<string>;
  /** Undefined without PostgreSQL. */
  registered: RegisteredDocuments | undefined;
}

interface DocumentText {
  /** Text of the document. It is unchecked JSON, so it may be any value. */
  text: string | undefined;
  /** Set if the request has the id of a registered document. */
  registered?: RegisteredDocument | undefined;
  /** Stores the text under its hash, if the request has both. Called for admitted operations. */
  register(): Promise<void>;
}

/** Returns the text of a document, which a request sends or names by its id. */
export async function textOfDocument(
  { query, documentId }: SentDocument,
  client: ClientName,
  { persistedTexts, registered: documents }: DocumentStores,
): Promise<DocumentText | { errors: readonly GraphQLError[] }> {
  if (documentId === undefined) return { text: query as string | undefined, register: NOTHING };
  const hash = HASH.exec(documentId)?.[1];
  const key = `apq:${hash}`;
  if (query === undefined) {
    const registered = await documents?.find(documentId, client);
    if (registered) return { text: registered.text, registered, register: NOTHING };
    if (hash === undefined) return { errors: [unknownDocument({ isHash: false })] };
    const text = await persistedTexts.get(key);
    return text === undefined ? { errors: [unknownHash()] } : { text, register: NOTHING };
  }
  if (typeof query !== 'string' || sha256Of(query) !== hash) return { errors: [mismatch()] };
  return { text: query, register: () => persistedTexts.set(key, query) };
}

const NOTHING = async () => {};
const HASH = /^(?:sha256:)?([0-9a-f]{64})$/;

/** Creates the error to which clients with automatic persisted queries react by sending the text. */
function unknownHash(): GraphQLError {
  return new GraphQLError('PersistedQueryNotFound', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', http: { status: 200 } },
  });
}

function mismatch(): GraphQLError {
  return new GraphQLError('documentId: expected the SHA-256 of query', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  });
}
