import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { createSkim, type Skim } from './create-skim.js';

/** Skims by document, bounded by their total size in bytes. */
interface SkimStore {
  /**
   * Reads a response like `Skim.read`, with the names learned from earlier responses to the same
   * document.
   */
  read(document: DocumentNode, bytes: Uint8Array): Record<string, unknown> | undefined;
  /** Estimated heap size in bytes. */
  readonly knownBytes: number;
}

/** Size in bytes that is assumed for a skim without names. */
const EMPTY_BYTES = 1000;

export function createSkimStore(maxBytes: number): SkimStore {
  const byDocument = new WeakMap<DocumentNode, Skim>();
  const known = new LRUCache<Skim, true>({ maxSize: maxBytes, dispose: (_, skim) => skim.forget() });
  // Skims do not keep their documents alive. A new schema, for example, replaces all documents.
  const ofCollectedDocuments = new FinalizationRegistry<Skim>((skim) => known.delete(skim));

  return {
    read(document, bytes) {
      let skim = byDocument.get(document);
      if (skim === undefined) {
        skim = createSkim();
        byDocument.set(document, skim);
        ofCollectedDocuments.register(document, skim);
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
