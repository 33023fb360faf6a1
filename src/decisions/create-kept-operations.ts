import { LRUCache } from 'lru-cache';
import type { Clock } from '../runtime/clock.js';
import { schedule } from '../runtime/schedule.js';

/** An admitted operation that waits for its settlement, or the result of its settlement. */
export interface KeptOperation<Operation, Result> {
  readonly operation: Operation;
  /** Time at which the receipt expires, in epoch milliseconds. */
  readonly expiresAtMs: number;
  /** Result of the settlement, once it has begun. Undefined again if it may be repeated. */
  settled: Promise<Result> | undefined;
}

interface KeptOperationsOptions<Operation> {
  clock: Clock;
  /** Called with an operation that was not settled in time, or for which there is no more room. */
  onDropped(operation: Operation): void;
  /** Maximum estimated size of all operations, in bytes. @default 67108864 */
  maxBytes?: number;
}

/** The operations that this process has admitted and that may still be settled. */
export interface KeptOperations<Operation, Result> {
  /** @param bytes size of the request, from which the size of the operation is estimated */
  add(id: string, operation: Operation, expiresAtMs: number, bytes: number): void;
  find(id: string): KeptOperation<Operation, Result> | undefined;
  /** Numbers of operations that wait, that expired, and that were dropped earlier for lack of room. */
  readonly totals: { readonly waiting: number; readonly expired: number; readonly evicted: number };
  /** Drops all operations. */
  close(): void;
}

/**
 * Estimated size of an operation without its request: its charges, its states and its record. With
 * six limits, 4.5 KB were measured.
 */
const BYTES_PER_OPERATION = 5120;
const SWEEP_MS = 1000;

/**
 * Creates the memory of admitted operations. It is bounded, so that decisions without settlements
 * cannot fill the process: the oldest operation is dropped first. Its estimate remains charged. Its
 * receipt contains the charge, so a later request can still settle it with `actualCost`.
 */
export function createKeptOperations<Operation, Result>({
  clock,
  onDropped,
  maxBytes = 64 * 2 ** 20,
}: KeptOperationsOptions<Operation>): KeptOperations<Operation, Result> {
  // Nothing reads an operation by `get`, so the least recently used one is the oldest.
  const kept = new LRUCache<string, KeptOperation<Operation, Result> & { readonly bytes: number }>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    dispose({ operation, settled }, _id, reason) {
      if (settled !== undefined) return;
      if (reason === 'evict') evicted++;
      onDropped(operation);
    },
  });
  let expired = 0;
  let evicted = 0;
  let cancel: (() => void) | undefined;

  function sweep(): void {
    cancel = undefined;
    const nowMs = clock();
    for (const id of [...kept.keys()]) {
      const { expiresAtMs, settled } = kept.peek(id)!;
      if (expiresAtMs > nowMs) continue;
      if (settled === undefined) expired++;
      kept.delete(id);
    }
    if (kept.size > 0) sweepLater();
  }

  function sweepLater(): void {
    cancel ??= schedule(sweep, SWEEP_MS);
  }

  return {
    add(id, operation, expiresAtMs, requestBytes) {
      const bytes = Math.min(BYTES_PER_OPERATION + 2 * requestBytes, maxBytes);
      kept.set(id, { operation, expiresAtMs, bytes, settled: undefined });
      sweepLater();
    },
    find: (id) => kept.peek(id),
    get totals() {
      let waiting = 0;
      for (const { settled } of kept.values()) if (settled === undefined) waiting++;
      return { waiting, expired, evicted };
    },
    close() {
      cancel?.();
      kept.clear();
    },
  };
}
