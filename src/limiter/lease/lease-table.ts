import type { ChargeSubject } from '../../model/subject.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { isSameCounter } from '../algorithms/limit-algorithm.js';
import { createLease, type Lease } from '../charge/lease.js';
import { idIn, SPACES, spaceOf } from '../memory/partitions.js';
import { createLatestHolders, type Holder } from './create-latest-holders.js';
import { createNewcomers } from './create-newcomers.js';

/** Recent callers and their leases. */
export interface LeaseTable {
  /**
   * Returns the holder of a counter. Returns undefined for the first request of a caller after a
   * pause, or if too many callers are tracked already. All limits of one scope have the same
   * holder, except for GLOBAL.
   */
  holderOf(subject: ChargeSubject, limit: Limit): Holder | undefined;
  /** Returns the holder of a counter, if its caller is already tracked. */
  knownHolderOf(subject: ChargeSubject, limit: Limit): Holder | undefined;
  /** Returns the lease of a caller for this limit, and creates it if there is none. */
  open(holder: Holder, subject: ChargeSubject, limit: Limit, nowMs: number): Lease;
  /**
   * Returns all leases of a counter. After an edit of a rule, the lease of the older limit remains
   * until it lapses.
   */
  ofCounter(subject: ChargeSubject, limit: Limit): Lease[];
  /**
   * Returns the leases of a counter that hold tokens, are taking some, or have refunds waiting or
   * in flight. Includes those with a refund that reached Redis after `sinceMs`: Redis may have
   * denied before it arrived.
   */
  holding(subject: ChargeSubject, limit: Limit, sinceMs: number): Lease[];
  /**
   * Returns whether a lease of the counter holds tokens now, is taking some, or has refunds waiting
   * or in flight.
   */
  holds(subject: ChargeSubject, limit: Limit): boolean;
  /** Forgets the leases for which `isIdle` returns true. */
  sweep(isIdle: (lease: Lease) => boolean): void;
  size(): number;
}

function isHolding({ left, fetching, hasRefunds, returning }: Lease): boolean {
  return left > 0 || fetching !== undefined || hasRefunds || returning !== undefined;
}

export function createLeaseTable(maxHolders: number): LeaseTable {
  const spaces: Map<string, Holder>[] = Array.from({ length: SPACES }, () => new Map());
  const latest = createLatestHolders();
  const newcomers = createNewcomers(maxHolders);
  let size = 0;
  /** Holder of a caller whose second request has just arrived. */
  let fresh: Holder | undefined;

  function ofCounter(subject: ChargeSubject, limit: Limit): Lease[] {
    const space = spaceOf(subject, limit);
    const holder = spaces[space]!.get(idIn(space, subject, limit)) ?? [];
    return holder.filter((lease) => isSameCounter(lease.limit.identity, limit.identity));
  }

  return {
    holderOf(subject, limit) {
      const space = spaceOf(subject, limit);
      const before = latest.of(space, subject, limit);
      if (before !== undefined) return before;
      const id = idIn(space, subject, limit);
      const holders = spaces[space]!;
      let holder = holders.get(id);
      if (holder === undefined) {
        // At the maximum, new callers get no lease. A sweep removes callers whose leases have been
        // idle for twice the length of a lease.
        if (size >= maxHolders) return undefined;
        if (!newcomers.hasCome(space, id)) return undefined;
        holder = [];
        fresh = holder;
        holders.set(id, holder);
        size++;
      }
      latest.remember(space, subject, holder);
      return holder;
    },

    knownHolderOf(subject, limit) {
      const space = spaceOf(subject, limit);
      const before = latest.of(space, subject, limit);
      if (before !== undefined) return before;
      const holder = spaces[space]!.get(idIn(space, subject, limit));
      if (holder !== undefined) latest.remember(space, subject, holder);
      return holder;
    },

    open(holder, subject, limit, nowMs) {
      for (let i = 0; i < holder.length; i++) if (holder[i]!.limit === limit) return holder[i]!;
      const lease = createLease(subject, limit, nowMs);
      // Counts the first charge of the caller, which only recorded them as a newcomer.
      if (holder === fresh) lease.charges = 1;
      holder.push(lease);
      return lease;
    },

    ofCounter,

    holding: (subject, limit, sinceMs) =>
      ofCounter(subject, limit).filter((lease) => isHolding(lease) || lease.returnedAtMs >= sinceMs),

    holds(subject, limit) {
      const space = spaceOf(subject, limit);
      const holder = spaces[space]!.get(idIn(space, subject, limit));
      if (holder === undefined) return false;
      return holder.some((lease) => isHolding(lease) && isSameCounter(lease.limit.identity, limit.identity));
    },

    sweep(isIdle) {
      latest.forget();
      fresh = undefined;
      newcomers.forget();
      for (const holders of spaces) {
        for (const [id, holder] of holders) {
          let kept = 0;
          for (const lease of holder) {
            lease.isForgotten = isIdle(lease);
            if (!lease.isForgotten) holder[kept++] = lease;
          }
          holder.length = kept;
          if (kept > 0) continue;
          holders.delete(id);
          size--;
        }
      }
    },
    size: () => size,
  };
}
