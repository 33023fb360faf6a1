import type { DocumentNode, GraphQLError } from 'graphql';
import { requestError } from '../model/errors.js';
import { isPromise } from '../runtime/is-promise.js';
import type { SizedCache } from '../runtime/sized-cache.js';
import { askedDocument, persistedHashOf, unknownDocument, unknownHash } from './asked-document.js';
import { keyOfHash } from './create-persisted-texts.js';
import { clientNameOf, type RegisteredDocument, type RegisteredDocuments } from './registered-documents.js';
import { sha256Of } from './sha-256-of.js';

/** Stores of documents that have ids. */
export interface DocumentStores {
  /** Undefined without PostgreSQL. */
  readonly registered: RegisteredDocuments | undefined;
  /**
   * Texts of automatic persisted queries. Undefined if the server has its own store of them:
   * `findDocument` then leaves each hash without a registered document to the server.
   */
  readonly persistedTexts: SizedCache<string> | undefined;
}

/** Members of a request that name its document. All except `document` are unchecked JSON. */
interface DocumentParts {
  /** Document that the server has parsed. `findDocument` then ignores the other members. */
  document?: DocumentNode | undefined;
  query?: unknown;
  documentId?: unknown;
  /** Id in the form that Relay uses. */
  doc_id?: unknown;
  extensions?: unknown;
}

/** Document of a request. */
export interface FoundDocument {
  /** Set if the request has the id of a registered document. */
  readonly registered?: RegisteredDocument | undefined;
  /** Text of the automatic persisted query whose hash the request has. @default that of the request */
  readonly text?: string;
  /** Key under which the text is stored if its operation is admitted. @default the text is not stored */
  readonly storeAs?: string;
}

const AS_SENT: FoundDocument = {};

/**
 * Finds the document of a request: a registered one by its id, or the text of an automatic
 * persisted query by its hash. Returns an error if the id or hash is unknown or invalid, or if the
 * hash is not that of the text.
 */
export function findDocument(
  stores: DocumentStores,
  request: DocumentParts,
  header: (name: string) => string | undefined,
): FoundDocument | GraphQLError | Promise<FoundDocument | GraphQLError> {
  if (request.document) return AS_SENT;
  const asked = askedDocument(request);
  const { persistedTexts } = stores;
  if (asked.mistake) return asked.isOfHash && !persistedTexts ? AS_SENT : asked.mistake;
  if (asked.id !== undefined) return findById({ id: asked.id, hash: asked.hash }, stores, header);
  const hash = request.extensions === undefined ? undefined : persistedHashOf(request.extensions);
  if (hash === undefined || typeof request.query !== 'string' || !persistedTexts) return AS_SENT;
  if (typeof hash !== 'string' || sha256Of(request.query) !== hash.toLowerCase())
    return requestError('BAD_REQUEST', 'persisted query: expected the SHA-256 of the text of the document');
  return { storeAs: keyOfHash(hash.toLowerCase()) };
}

function findById(
  { id, hash }: { id: string; hash: string | undefined },
  { registered: documents, persistedTexts }: DocumentStores,
  header: (name: string) => string | undefined,
): FoundDocument | GraphQLError | Promise<FoundDocument | GraphQLError> {
  const orPersisted = (registered: RegisteredDocument | undefined) => {
    if (registered) return { registered };
    if (hash !== undefined && persistedTexts) return findText({ id, hash }, persistedTexts);
    return id === hash ? AS_SENT : unknownDocument();
  };
  const found = documents?.find(id, clientNameOf(header));
  return isPromise(found) ? found.then(orPersisted) : orPersisted(found);
}

async function findText(
  { id, hash }: { id: string; hash: string },
  persistedTexts: SizedCache<string>,
): Promise<FoundDocument | GraphQLError> {
  const text = await persistedTexts.get(keyOfHash(hash));
  if (text !== undefined) return { text };
  return id === hash ? unknownHash() : unknownDocument();
}
