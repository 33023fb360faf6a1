import type { DocumentNode, GraphQLError } from 'graphql';
import { askedDocument, persistedHashOf, unknownDocument, unknownHash } from '../documents/asked-document.js';
import { keyOfHash } from '../documents/create-persisted-texts.js';
import { clientNameOf, type RegisteredDocument, type RegisteredDocuments } from '../documents/registered-documents.js';
import { sha256Of } from '../documents/sha-256-of.js';
import { requestError } from '../model/errors.js';
import { isPromise } from '../runtime/is-promise.js';
import type { SizedCache } from '../runtime/sized-cache.js';

/** Members of a request that name its document. All except `document` are unchecked JSON. */
interface RequestParts {
  /** Document that the server has parsed. `findDocument` then ignores the other members. */
  document?: DocumentNode | undefined;
  query?: unknown;
  documentId?: unknown;
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
 * @param registered undefined without PostgreSQL
 * @param persistedTexts texts of automatic persisted queries
 */
export function findDocument(
  registered: RegisteredDocuments | undefined,
  persistedTexts: SizedCache<string>,
  request: RequestParts,
  header: (name: string) => string | undefined,
): FoundDocument | GraphQLError | Promise<FoundDocument | GraphQLError> {
  if (request.document) return AS_SENT;
  const asked = askedDocument(request);
  if (asked.mistake) return asked.mistake;
  if (asked.id !== undefined) return findById(asked, { registered, persistedTexts }, header);
  const hash = request.extensions === undefined ? undefined : persistedHashOf(request.extensions);
  if (hash === undefined || typeof request.query !== 'string') return AS_SENT;
  if (typeof hash !== 'string' || sha256Of(request.query) !== hash.toLowerCase())
    return requestError('BAD_REQUEST', 'extensions.persistedQuery.sha256Hash: expected the SHA-256 of the query');
  return { storeAs: keyOfHash(hash.toLowerCase()) };
}

function findById(
  { id, isHash }: { id: string; isHash: boolean },
  stores: { registered: RegisteredDocuments | undefined; persistedTexts: SizedCache<string> },
  header: (name: string) => string | undefined,
): FoundDocument | GraphQLError | Promise<FoundDocument | GraphQLError> {
  const orPersisted = (registered: RegisteredDocument | undefined) => {
    if (registered) return { registered };
    return isHash ? findText(id, stores.persistedTexts) : unknownDocument();
  };
  const found = stores.registered?.find(id, clientNameOf(header));
  return isPromise(found) ? found.then(orPersisted) : orPersisted(found);
}

async function findText(hash: string, persistedTexts: SizedCache<string>): Promise<FoundDocument | GraphQLError> {
  const text = await persistedTexts.get(keyOfHash(hash));
  return text === undefined ? unknownHash() : { text };
}
