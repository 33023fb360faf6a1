import type { Receipt } from '../../limiter/charge/decision.js';
import { matchesStream, type OpenStream, type StreamFilter } from '../../model/open-stream.js';
import type { EventTotals } from '../../model/stream-totals.js';
import type { BoundLimit } from '../../rules/matching/ruleset.js';
import { TIMINGS, type Timings } from '../../runtime/timings.js';
import { isSlotLimit } from '../answer/is-slot-limit.js';

/** Reason for which the register ends a subscription or connection. */
export type EndReason = 'STOP' | 'ADMINISTRATOR';

/** The open subscriptions, or connections, of this process. Their slots are renewed until they end. */
export interface OpenSubscriptions {
  /**
   * Registers a subscription. Returns the function to call when it has ended.
   * @param end function that ends the subscription
   * @param stream description for the list. Without it, the subscription is not listed
   */
  add(subscription: HeldSlots, end: (reason: EndReason) => void, stream?: OpenStream): () => void;
  /** Returns the listed subscriptions, oldest first. */
  list(): Iterable<OpenStream>;
  /** Ends the listed subscriptions that match and were opened before `beforeMs`, in epoch milliseconds. */
  endMatching(filter: StreamFilter, beforeMs: number): void;
  /** Ends all subscriptions. A subscription that is added later ends at once. */
  endAll(): void;
  readonly count: number;
  readonly events: EventTotals;
}

interface HeldSlots {
  /** Charge that holds the slots. Absent if there are none. */
  readonly receipt?: Receipt | undefined;
  /** Shortest `leaseMs` of the slots, in milliseconds. Absent if there are none to renew. */
  readonly leaseMs?: number | undefined;
}

/** Returns the shortest `leaseMs` of the slots among limits. Undefined if there are none. */
export function leaseOf(limits: readonly BoundLimit[]): number | undefined {
  const leases = limits.filter(isSlotLimit).map(({ parameters: { leaseMs = 0 } }) => leaseMs);
  return leases.length === 0 ? undefined : Math.min(...leases);
}

interface OpenSubscriptionsOptions {
  /** Makes the slots of a charge end `leaseMs` from now. */
  renew(receipt: Receipt): Promise<void>;
  timings?: Timings;
}

/**
 * Number of renewals in each `leaseMs`. Two of them may be lost: the third one comes before the slot
 * expires.
 */
const RENEWALS_PER_LEASE = 4;

/**
 * Shortest time between two renewals of a slot, in milliseconds. Slots with a `leaseMs` of less than
 * this time expire while their subscription is open.
 */
const SHORTEST_INTERVAL_MS = 750;

/** Creates a register of subscriptions or of connections. */
export function createOpenSubscriptions({
  renew,
  timings: { clock, schedule } = TIMINGS,
}: OpenSubscriptionsOptions): OpenSubscriptions {
  const open = new Map<object, (reason: EndReason) => void>();
  const listed = new Map<OpenStream, (reason: EndReason) => void>();
  /**
   * Times of the next renewals by subscription, for each interval. The entries of one interval are in
   * the order of their times, because each renewal moves an entry to the end.
   */
  const renewals = new Map<number, Map<HeldSlots, { receipt: Receipt; atMs: number }>>();
  let isStopped = false;

  function renewDue(intervalMs: number): void {
    const due = renewals.get(intervalMs)!;
    const nowMs = clock();
    for (const [held, { receipt, atMs }] of due) {
      if (atMs > nowMs) break;
      due.delete(held);
      due.set(held, { receipt, atMs: nowMs + intervalMs });
      // The limiter reports a failure of Redis. The next renewal makes up for a lost one.
      void renew(receipt).catch(() => {});
    }
    schedulesNext(intervalMs, due);
  }

  function schedulesNext(intervalMs: number, due: Map<HeldSlots, { atMs: number }>): void {
    const [next] = due.values();
    if (next === undefined) renewals.delete(intervalMs);
    else schedule(() => renewDue(intervalMs), Math.max(0, next.atMs - clock()));
  }

  /** Renews slots from now on. Returns the function that stops the renewals. */
  function startRenewals(held: HeldSlots): () => void {
    const { receipt, leaseMs } = held;
    if (receipt === undefined || leaseMs === undefined) return () => {};
    const intervalMs = Math.max(SHORTEST_INTERVAL_MS, Math.floor(leaseMs / RENEWALS_PER_LEASE));
    const known = renewals.get(intervalMs);
    const due = known ?? new Map<HeldSlots, { receipt: Receipt; atMs: number }>();
    due.set(held, { receipt, atMs: clock() + intervalMs });
    if (known === undefined) {
      renewals.set(intervalMs, due);
      schedulesNext(intervalMs, due);
    }
    return () => void due.delete(held);
  }

  return {
    add(held, end, stream) {
      if (isStopped) {
        // The code that calls `add` may not be able to end the subscription before `add` returns.
        queueMicrotask(() => end('STOP'));
        return () => {};
      }
      open.set(held, end);
      if (stream) listed.set(stream, end);
      const stop = startRenewals(held);
      return () => {
        open.delete(held);
        if (stream) listed.delete(stream);
        stop();
      };
    },
    list: () => listed.keys(),
    endMatching(filter, beforeMs) {
      for (const [stream, end] of [...listed]) {
        if (stream.sinceMs < beforeMs && matchesStream(filter, stream)) end('ADMINISTRATOR');
      }
    },
    endAll() {
      isStopped = true;
      for (const end of [...open.values()]) end('STOP');
    },
    get count() {
      return open.size;
    },
    events: { sent: 0, denied: 0, dropped: 0 },
  };
}
