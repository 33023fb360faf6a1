import type { Receipt } from '../../limiter/charge/decision.js';
import { TIMINGS, type Timings } from '../../runtime/timings.js';

/** The open subscriptions of this process. Their slots are renewed until they end. */
export interface OpenSubscriptions {
  /**
   * Registers a subscription. Returns the function to call when it has ended.
   * @param end function that ends the subscription, called when the server stops
   */
  add(subscription: HeldSlots, end: () => void): () => void;
  /** Ends all subscriptions. A subscription that is added later ends at once. */
  endAll(): void;
  readonly count: number;
}

interface HeldSlots {
  readonly receipt: Receipt;
  /** Shortest `leaseMs` of the slots, in milliseconds. Undefined if there are none to renew. */
  readonly leaseMs: number | undefined;
}

interface OpenSubscriptionsOptions {
  /** Makes the slots of a charge end `leaseMs` from now. */
  renew(receipt: Receipt): Promise<void>;
  timings?: Timings;
}

/** Number of renewals in each `leaseMs`, so that two of them may be lost. */
const RENEWALS_PER_LEASE = 3;

/**
 * Shortest time between two renewals of a slot, in milliseconds. Slots with a `leaseMs` of less than
 * this time expire while their subscription is open.
 */
const SHORTEST_INTERVAL_MS = 1000;

/** Creates the register of a process. */
export function createOpenSubscriptions({
  renew,
  timings: { clock, schedule } = TIMINGS,
}: OpenSubscriptionsOptions): OpenSubscriptions {
  const open = new Map<object, () => void>();
  /**
   * Times of the next renewals by subscription, for each interval. The entries of one interval are in
   * the order of their times, because each renewal moves an entry to the end.
   */
  const renewals = new Map<number, Map<HeldSlots, number>>();
  let isStopped = false;

  function renewDue(intervalMs: number): void {
    const due = renewals.get(intervalMs)!;
    const nowMs = clock();
    for (const [held, atMs] of due) {
      if (atMs > nowMs) break;
      due.delete(held);
      due.set(held, nowMs + intervalMs);
      // The limiter reports a failure of Redis. The next renewal makes up for a lost one.
      void renew(held.receipt).catch(() => {});
    }
    schedulesNext(intervalMs, due);
  }

  function schedulesNext(intervalMs: number, due: Map<HeldSlots, number>): void {
    const [next] = due.values();
    if (next === undefined) renewals.delete(intervalMs);
    else schedule(() => renewDue(intervalMs), Math.max(0, next - clock()));
  }

  /** Renews slots from now on. Returns the function that stops the renewals. */
  function startRenewals(held: HeldSlots, leaseMs: number): () => void {
    const intervalMs = Math.max(SHORTEST_INTERVAL_MS, Math.floor(leaseMs / RENEWALS_PER_LEASE));
    const known = renewals.get(intervalMs);
    const due = known ?? new Map<HeldSlots, number>();
    due.set(held, clock() + intervalMs);
    if (known === undefined) {
      renewals.set(intervalMs, due);
      schedulesNext(intervalMs, due);
    }
    return () => void due.delete(held);
  }

  return {
    add(held, end) {
      if (isStopped) {
        // The code that calls `add` may not be able to end the subscription before `add` returns.
        queueMicrotask(end);
        return () => {};
      }
      open.set(held, end);
      const stop = held.leaseMs === undefined ? undefined : startRenewals(held, held.leaseMs);
      return () => {
        open.delete(held);
        stop?.();
      };
    },
    endAll() {
      isStopped = true;
      for (const end of [...open.values()]) end();
    },
    get count() {
      return open.size;
    },
  };
}
