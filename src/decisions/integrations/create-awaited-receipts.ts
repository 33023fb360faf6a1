import { LRUCache } from 'lru-cache';
import type { Clock } from '../../runtime/clock.js';

/** Receipts of operations whose responses are awaited, by a key that equal operations share. */
interface AwaitedReceipts {
  add(key: string, receipt: string): void;
  /** Removes the oldest receipt of a key that has not expired, and those before it. Returns it. */
  take(key: string): string | undefined;
  /** Number of receipts in memory. */
  readonly count: number;
}

interface AwaitedReceiptsOptions {
  now: Clock;
  /** Time for which a receipt is awaited, in milliseconds. */
  forMs: number;
  /** Maximum total length of the receipts and their keys, in characters. @default 33554432 */
  maxLetters?: number;
}

/** A receipt in the queue of its key. */
interface Awaited {
  readonly key: string;
  readonly receipt: string;
  readonly untilMs: number;
  readonly number: number;
  next: Awaited | undefined;
}

const MAX_LETTERS = 32 * 2 ** 20;
/** Estimated overhead of a receipt, so that short ones are bounded too. */
const LETTERS_PER_RECEIPT = 300;

/**
 * Creates the memory of awaited receipts. Above the maximum, it drops the oldest receipt. Each
 * operation takes constant time, even if all receipts have the same key.
 */
export function createAwaitedReceipts({
  now,
  forMs,
  maxLetters = MAX_LETTERS,
}: AwaitedReceiptsOptions): AwaitedReceipts {
  /** First and last receipt of each key. */
  const queues = new Map<string, { first: Awaited; last: Awaited }>();
  // Nothing reads an entry by `get`, so the least recently used entry is the oldest one.
  const all = new LRUCache<number, Awaited>({
    maxSize: maxLetters,
    sizeCalculation: ({ key, receipt }) => LETTERS_PER_RECEIPT + key.length + receipt.length,
    dispose: ({ key }) => shift(key),
  });
  let added = 0;

  /** Removes the first receipt of a key. A receipt that `all` drops is the oldest one of its key. */
  function shift(key: string): void {
    const queue = queues.get(key)!;
    if (queue.first.next) queue.first = queue.first.next;
    else queues.delete(key);
  }

  return {
    add(key, receipt) {
      const one: Awaited = { key, receipt, untilMs: now() + forMs, number: ++added, next: undefined };
      const queue = queues.get(key);
      if (queue) {
        queue.last.next = one;
        queue.last = one;
      } else queues.set(key, { first: one, last: one });
      all.set(one.number, one);
    },
    take(key) {
      for (;;) {
        const oldest = queues.get(key)?.first;
        if (!oldest) return undefined;
        all.delete(oldest.number);
        if (oldest.untilMs > now()) return oldest.receipt;
      }
    },
    get count() {
      return all.size;
    },
  };
}
