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
  const kept = new Map<string, KeptOperation<Operation, Result> & { readonly bytes: number }>();
  let bytes = 0;
  let expired = 0;
  let evicted = 0;
  let settled = 0;
  let cancel: (() => void) | undefined;

  function drop(id: string): void {
    const one = kept.get(id)!;
    kept.delete(id);
    bytes -= one.bytes;
    if (one.settled === undefined) onDropped(one.operation);
    else settled--;
  }

  function sweep(): void {
    cancel = undefined;
    const nowMs = clock();
    for (const [id, one] of kept) {
      if (one.expiresAtMs > nowMs) continue;
      if (one.settled === undefined) expired++;
      drop(id);
    }
    if (kept.size > 0) sweepLater();
  }

  function sweepLater(): void {
    cancel ??= schedule(sweep, SWEEP_MS);
  }

  return {
    add(id, operation, expiresAtMs, requestBytes) {
      let result: Promise<Result> | undefined;
      const one = {
        operation,
        expiresAtMs,
        bytes: BYTES_PER_OPERATION + 2 * requestBytes,
        get settled() {
          return result;
        },
        set settled(given) {
          settled += Number(given !== undefined) - Number(result !== undefined);
          result = given;
        },
      };
      kept.set(id, one);
      bytes += one.bytes;
      for (const [oldest, { settled: isSettled }] of kept) {
        if (bytes <= maxBytes) break;
        if (isSettled === undefined) evicted++;
        drop(oldest);
      }
      sweepLater();
    },
    find: (id) => kept.get(id),
    get totals() {
      return { waiting: kept.size - settled, expired, evicted };
    },
    close() {
      cancel?.();
      for (const id of [...kept.keys()]) drop(id);
    },
  };
}
