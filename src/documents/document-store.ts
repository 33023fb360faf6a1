import type { DocumentNode } from 'graphql';
import { documentBytes } from '../model/document-bytes.js';
import { createSizedCache, type SizedCache } from '../runtime/sized-cache.js';
import { documentCacheOption } from './document-cache-option.js';

/**
 * Documents that were parsed and validated, for `new ApolloServer({ documentStore })`: bounded by what they keep alive, and
 * told to forget what was refused. Apollo's own store takes the length of a document as JSON for its size: a quarter of the
 * truth, and it takes as long to work out as parsing.
 */
export interface DocumentStore extends SizedCache<DocumentNode> {
  /** Lets go of a document, whatever its key. */
  forget(document: DocumentNode): void;
}

interface DocumentStoreOptions {
  /** Bytes of the heap, estimated. @default 33554432 */
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
      // One key each: Apollo's is made of the text.
      if (before !== undefined) void cache.delete(before);
      // Put down first: what there is no room for is taken out again at once.
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
