import type { DocumentNode } from 'graphql';
import { documentBytes } from '../model/document-bytes.js';
import { createSizedCache, type SizedCache } from '../runtime/sized-cache.js';
import { documentCacheOption } from './document-cache-option.js';

/**
 * Store of parsed and validated documents for `new ApolloServer({ documentStore })`. It limits the
 * heap that the documents use, and can remove rejected documents. Apollo's own store measures a
 * document by the length of its JSON. This length is a quarter of the heap size, and measuring it
 * takes as long as parsing.
 */
export interface DocumentStore extends SizedCache<DocumentNode> {
  /** Removes a document object from the store. The calling code does not need to know its key. */
  forget(document: DocumentNode): void;
}

interface DocumentStoreOptions {
  /** Maximum estimated heap size, in bytes. @default 33554432 */
  maxBytes?: number | undefined;
}

export function createDocumentStore({
  maxBytes = documentCacheOption.default,
}: DocumentStoreOptions = {}): DocumentStore {
  const keys = new Map<DocumentNode, string>();
  const cache = createSizedCache<DocumentNode>({
    maxBytes,
    bytesOf: documentBytes,
    onRemoved: (document) => keys.delete(document),
  });

  return {
    get: cache.get,
    delete: cache.delete,
    set(key, document) {
      const before = keys.get(document);
      // If the document is stored already, remove it first. Otherwise `set` would call `onRemoved`
      // for it, which would delete its key.
      if (before !== undefined) void cache.delete(before);
      // Store the key before the document. If the document is too large, `set` calls `onRemoved`,
      // which deletes the key again.
      keys.set(document, key);
      return cache.set(key, document);
    },
    forget(document) {
      const key = keys.get(document);
      if (key !== undefined) void cache.delete(key);
    },
    get bytes() {
      return cache.bytes;
    },
    get count() {
      return cache.count;
    },
  };
}
