import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { createSkim, type Skim } from './create-skim.js';

/** Skims by document, bounded by their total size in bytes. */
interface SkimStore {
  /**
   * Reads an answer like `Skim.read`, with the names learned from earlier answers to the same
   * document.
   */
  read(document: DocumentNode, bytes: Uint8Array): Record<string, unknown> | undefined;
  /** Estimated heap size in bytes. */
  readonly knownBytes: number;
}

/** Size that a skim without names counts. */
const EMPTY_BYTES = 1000;

export function createSkimStore(maxBytes: number): SkimStore {
  const byDocument = new WeakMap<DocumentNode, Skim>();
  // Skims do not keep their documents alive: names of a document that no longer exists are evicted
  // by others.
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
