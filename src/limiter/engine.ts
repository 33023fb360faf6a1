import type { Limit } from './limit.js';
import type { ChargeSubject } from './types.js';

/** Limits that were checked, with their costs beside them. */
export interface Demand {
  readonly subject: ChargeSubject;
  readonly limits: readonly Limit[];
  readonly costs: readonly number[];
}

/** Engine time: `clock` is what the clock said, `now` what was decided by (later, while stored times are ahead). */
export interface EngineTime {
  clock: number;
  now: number;
}

/** What an engine found: `numbers` as `describeLimit` reads them, limit after limit. */
export interface Reading extends EngineTime {
  admitted: boolean;
  numbers: number[];
  /** By limit, where several servers have answered. */
  times?: readonly EngineTime[];
}

/** An admitted charge, as far as a settlement needs it. */
export interface ChargeRecord extends Demand {
  /** Six bytes, one per character. */
  readonly chargeId: string;
  /** By limit: engine time of the charge, which says what window it went to. */
  readonly stampsMs: readonly number[];
}

/** What was wrong with stored state, and was repaired on the way. */
export interface Anomalies {
  /** Unreadable or foreign data that was taken for empty state. */
  repaired: number;
  /** Partitions that a clock more than five seconds ahead had written. */
  rebased: number;
}

/** Stored time may be ahead of the clock by this much before it is taken for a mistake. */
export const MAX_AHEAD_MS = 5000;

/** The part of a demand whose indexes are kept. */
export function select({ subject, limits, costs }: Demand, keep: (index: number) => boolean): Demand {
  return { subject, limits: limits.filter((_, i) => keep(i)), costs: costs.filter((_, i) => keep(i)) };
}

export function selectCharged(charge: ChargeRecord, keep: (index: number) => boolean): ChargeRecord {
  return {
    ...select(charge, keep),
    chargeId: charge.chargeId,
    stampsMs: charge.stampsMs.filter((_, i) => keep(i)),
  };
}

/** Whether a settlement to `actual` changes the limit at `i`: another cost, or a lease that ends. */
export function changes({ limits, costs }: Demand, i: number, actual: Readonly<Record<string, number>>): boolean {
  const spent = actual[limits[i]!.id];
  return spent !== undefined && (spent !== costs[i] || limits[i]!.leases);
}
