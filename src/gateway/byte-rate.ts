import type { DocumentNode } from 'graphql';

/** Prices responses that the gateway forwards without parsing them, by their number of bytes. */
export interface ByteRate {
  /** Updates the rates from a response whose cost was counted. */
  learn(document: DocumentNode, cost: number, bytes: number): void;
  /** Returns the cost in tokens; 0 if there is no fixed price and no response was counted yet. */
  costOf(document: DocumentNode, bytes: number): number;
}

/** Sums over the responses read so far. */
interface Learned {
  cost: number;
  bytes: number;
}

/** Number of bytes above which the sums are halved, so that recent responses weigh more. */
const MEMORY_BYTES = 16 * 2 ** 20;

/**
 * Creates a byte rate.
 * @param tokensPerKib fixed price; if undefined, the average rate of earlier responses to the same
 * document, or of all responses if there are none
 */
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
