import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { createSkim, type Skim } from './create-skim.js';

/** What is known of the names in answers, by the document that asked for them: together no more than so many bytes. */
interface SkimStore {
  /** As `Skim.read`, by what came before for the same document. */
  read(document: DocumentNode, bytes: Uint8Array): Record<string, unknown> | undefined;
  /** Of the heap, estimated. */
  readonly knownBytes: number;
}

/** So much is counted of one that knows nothing. */
const EMPTY_BYTES = 1000;

export function createSkimStore(maxBytes: number): SkimStore {
  const byDocument = new WeakMap<DocumentNode, Skim>();
  // A document that is kept nowhere else is not kept here: of those that are gone the names are pushed out by others.
  const known = new LRUCache<Skim, true>({ maxSize: maxBytes, dispose: (_, skim) => skim.forget() });

  return {
    read(document, bytes) {
      let skim = byDocument.get(document);
      if (skim === undefined) {
        skim = createSkim();
        byDocument.set(document, skim);
      }
      const before = skim.knownBytes();
      const read = skim.read(bytes);
      if (known.get(skim) !== true || skim.knownBytes() !== before) {
        known.set(skim, true, { size: EMPTY_BYTES + skim.knownBytes(), noDisposeOnSet: true });
      }
      return read;
    },
    get knownBytes() {
      return known.calculatedSize;
    },
  };
}
