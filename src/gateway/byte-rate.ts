import type { DocumentNode } from 'graphql';

/** Prices answers that are not read, by their bytes. */
export interface ByteRate {
  /** Learns from an answer that was read and counted. */
  learn(document: DocumentNode, cost: number, bytes: number): void;
  /** Returns tokens; 0 where nothing is known. */
  costOf(document: DocumentNode, bytes: number): number;
}

/** Sums of the answers read so far. */
interface Learned {
  cost: number;
  bytes: number;
}

/** Beyond so many bytes the sums are halved: what came lately counts more. */
const MEMORY_BYTES = 16 * 2 ** 20;

/** @param tokensPerKib a fixed price; undefined: what answers to the same document cost, or else what all answers cost */
export function createByteRate(tokensPerKib: number | undefined): ByteRate {
  const byDocument = new WeakMap<DocumentNode, Learned>();
  const all: Learned = { cost: 0, bytes: 0 };

  function add(learned: Learned, cost: number, bytes: number): void {
    learned.cost += cost;
    learned.bytes += bytes;
    if (learned.bytes <= MEMORY_BYTES) return;
    learned.cost /= 2;
    learned.bytes /= 2;
  }

  return {
    learn(document, cost, bytes) {
      if (tokensPerKib !== undefined) return;
      add(all, cost, bytes);
      const known = byDocument.get(document);
      if (known) add(known, cost, bytes);
      else byDocument.set(document, { cost, bytes });
    },
    costOf(document, bytes) {
      if (tokensPerKib !== undefined) return Math.ceil((bytes / 1024) * tokensPerKib);
      const known = byDocument.get(document) ?? all;
      return known.bytes === 0 ? 0 : Math.ceil((bytes / known.bytes) * known.cost);
    },
  };
}
