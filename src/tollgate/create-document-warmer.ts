import { type GraphQLSchema, printSchema } from 'graphql';
import type { ReadingProtect } from '../any-server/protect.js';
import { documentCacheOption } from '../documents/document-cache-option.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { RegisteredDocument } from '../documents/registered-documents.js';
import { sha256Of } from '../documents/sha-256-of.js';

interface DocumentWarmerOptions {
  /** Returns the protection of the schema in force. */
  reading(): Pick<ReadingProtect<never>, 'warm'>;
  /** Document store of Apollo Server. */
  documentStore: DocumentStore;
  /** Returns the schema in force. */
  schema(): GraphQLSchema;
  /** Maximum size of each cache of documents, in bytes. */
  documentCacheBytes: number | undefined;
}

/** Part of the cache that documents without requests may fill. */
const SHARE = 0.5;

/**
 * Creates a function that caches a registered document before its first request, for `protect` and
 * for Apollo Server. It resolves to false if there is no more room for documents without requests.
 */
export function createDocumentWarmer(options: DocumentWarmerOptions) {
  const { reading, documentStore, schema, documentCacheBytes = documentCacheOption.default } = options;
  let hashed: { schema: GraphQLSchema; hash: string } | undefined;

  /** Returns the hash of a schema, by which Apollo Server distinguishes the documents of schemas. */
  function hashOf(current: GraphQLSchema): string {
    if (hashed?.schema !== current) hashed = { schema: current, hash: sha256Of(printSchema(current)) };
    return hashed.hash;
  }

  return async (registered: Pick<RegisteredDocument, 'text' | 'hash'>): Promise<boolean> => {
    const document = await reading().warm(registered);
    if (document) await documentStore.set(`${hashOf(schema())}:${registered.hash}`, document);
    return documentStore.bytes < documentCacheBytes * SHARE;
  };
}
