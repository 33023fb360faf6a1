import { GraphQLError } from 'graphql';
import { askedDocument, unknownDocument, unknownHash } from '../documents/asked-document.js';
import { keyOfHash } from '../documents/create-persisted-texts.js';
import type { ClientName, RegisteredDocument, RegisteredDocuments } from '../documents/registered-documents.js';
import { sha256Of } from '../documents/sha-256-of.js';
import type { SizedCache } from '../runtime/sized-cache.js';

/** Members of a request. They are unchecked JSON. */
interface SentDocument {
  query?: unknown;
  documentId?: unknown;
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
  /** Whether the request has an id instead of the text. */
  isById: boolean;
  /** Set if the id is that of a registered document. */
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
  const { id, mistake } = askedDocument({ documentId });
  if (mistake) return { errors: [mistake] };
  if (id === undefined) return { text: query as string | undefined, isById: false, register: NOTHING };
  const hash = HASH.exec(id)?.[1];
  if (query === undefined || query === null) {
    const registered = await documents?.find(id, client);
    if (registered) return { text: registered.text, isById: true, registered, register: NOTHING };
    const text = hash === undefined ? undefined : await persistedTexts.get(keyOfHash(hash));
    if (text !== undefined) return { text, isById: true, register: NOTHING };
    // Only a hash without a prefix may be that of an automatic persisted query.
    return { errors: [id === hash ? unknownHash() : unknownDocument()] };
  }
  if (typeof query !== 'string' || sha256Of(query) !== hash) return { errors: [mismatch()] };
  return { text: query, isById: false, register: () => persistedTexts.set(keyOfHash(hash), query) };
}

const NOTHING = async () => {};
const HASH = /^(?:sha256:)?([0-9a-f]{64})$/;

function mismatch(): GraphQLError {
  return new GraphQLError('documentId: expected the SHA-256 of query', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  });
}
