import type { ChargeSubject } from '../../model/subject.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { isSameCounter } from '../algorithms/limit-algorithm.js';
import { createLease, type Lease } from '../charge/lease.js';
import { idIn, SPACES, spaceOf } from '../memory/partitions.js';
import { createLatestHolders, type Holder } from './create-latest-holders.js';
import { createNewcomers } from './create-newcomers.js';

/** The callers of the last few leases' time, and what is held of their counters. */
export interface LeaseTable {
  /**
   * Whose counter it is; undefined: they come for the first time in a while, or so many are seen that this one is not. Of other
   * limits of one scope it is the same, but for GLOBAL.
   */
  holderOf(subject: ChargeSubject, limit: Limit): Holder | undefined;
  /** The same of those who are seen already. */
  knownHolderOf(subject: ChargeSubject, limit: Limit): Holder | undefined;
  /** Their lease under this limit, made where there is none. */
  open(holder: Holder, subject: ChargeSubject, limit: Limit, nowMs: number): Lease;
  /** All leases of a counter: an edited rule leaves that of the older limit until it lapses. */
  ofCounter(subject: ChargeSubject, limit: Limit): Lease[];
  /**
   * Of them those that have tokens left or are taking some, or refunds that wait or are under way, and those of which Redis has had one since:
   * it may have refused before that.
   */
  holding(subject: ChargeSubject, limit: Limit, sinceMs: number): Lease[];
  /** Whether there is one now. */
  holds(subject: ChargeSubject, limit: Limit): boolean;
  /** Forgets those for which `isIdle` is true. */
  sweep(isIdle: (lease: Lease) => boolean): void;
  readonly size: number;
}

function isHolding({ left, fetching, hasRefunds, returning }: Lease): boolean {
  return left > 0 || fetching !== undefined || hasRefunds || returning !== undefined;
}

export function createLeaseTable(maxHolders: number): LeaseTable {
  const spaces: Map<string, Holder>[] = Array.from({ length: SPACES }, () => new Map());
  const latest = createLatestHolders();
  const newcomers = createNewcomers(maxHolders);
  let size = 0;
  /** Of those who came for the second time just now. */
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
        // Those who hold something keep their places: many that come a few times hide no one for long.
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
      // The charge with which they came first.
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
    get size() {
      return size;
    },
  };
}
