import { type ChargedCaller, type ChargeSubject, isSameCaller } from '../../model/subject.js';
import type { Limit } from '../algorithms/algorithm.js';
import { isSameCounter } from '../algorithms/algorithm.js';
import { idIn, SPACES, spaceOf } from '../memory/partitions.js';
import { createLease, type Lease } from './lease.js';

/** The callers of the last few leases' time, and what is held of their counters. */
export interface LeaseTable {
  /** Whose counter it is; undefined: so many are seen that this one is not. Of other limits of one scope it is the same, but for GLOBAL. */
  holderOf(subject: ChargeSubject, limit: Limit): Holder | undefined;
  /** Their lease under this limit, made where there is none. */
  open(holder: Holder, subject: ChargeSubject, limit: Limit, nowMs: number): Lease;
  /** All leases of a counter: an edited rule leaves that of the older limit until it lapses. */
  ofCounter(subject: ChargeSubject, limit: Limit): Lease[];
  /** Whether a lease of this counter has tokens left, or is taking some. */
  holds(subject: ChargeSubject, limit: Limit): boolean;
  all(): Iterable<Lease>;
  /** Forgets those for which `isIdle` is true. */
  sweep(isIdle: (lease: Lease) => boolean): void;
  readonly size: number;
}

export type Holder = Lease[];

interface Latest extends ChargedCaller {
  readonly holder: Holder;
}

export function createLeaseTable(maxHolders: number): LeaseTable {
  const spaces: Map<string, Holder>[] = Array.from({ length: SPACES }, () => new Map());
  /** Who came last, by space: a caller at full rate is found without a name being made for them. */
  const latest = new Array<Latest | undefined>(SPACES).fill(undefined);
  let size = 0;

  function* all(): Iterable<Lease> {
    for (const holders of spaces) for (const holder of holders.values()) yield* holder;
  }

  return {
    holderOf(subject, limit) {
      const space = spaceOf(subject, limit);
      const before = latest[space];
      if (before !== undefined && limit.scope !== 'GLOBAL' && isSameCaller(before, subject)) return before.holder;
      const id = idIn(space, subject, limit);
      const holders = spaces[space]!;
      const holder = holders.get(id);
      // Those who hold something keep their places: many that come once hide no one for long.
      if (holder === undefined && size >= maxHolders) return undefined;
      const one = holder ?? [];
      if (holder === undefined) {
        holders.set(id, one);
        size++;
      }
      const { user, tenant, apiKey, ip } = subject;
      latest[space] = { user, tenant, apiKey, ip, holder: one };
      return one;
    },

    open(holder, subject, limit, nowMs) {
      for (let i = 0; i < holder.length; i++) if (holder[i]!.limit === limit) return holder[i]!;
      const lease = createLease(subject, limit, nowMs);
      holder.push(lease);
      return lease;
    },

    ofCounter(subject, limit) {
      const space = spaceOf(subject, limit);
      const holder = spaces[space]!.get(idIn(space, subject, limit)) ?? [];
      return holder.filter((lease) => isSameCounter(lease.limit.identity, limit.identity));
    },

    holds(subject, limit) {
      const space = spaceOf(subject, limit);
      const holder = spaces[space]!.get(idIn(space, subject, limit));
      if (holder === undefined) return false;
      return holder.some(
        (lease) =>
          (lease.left > 0 || lease.fetching !== undefined) && isSameCounter(lease.limit.identity, limit.identity),
      );
    },

    all,

    sweep(isIdle) {
      latest.fill(undefined);
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
