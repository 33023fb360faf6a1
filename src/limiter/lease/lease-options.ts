import { defineNumber } from '../../options/define-number.js';
import type { Clock } from '../../runtime/clock.js';

export const LEASES = {
  lengthMs: defineNumber({ least: 10, most: 600_000, default: 100, unit: 'milliseconds' }),
  after: defineNumber({ least: 1, default: 4, unit: 'charges' }),
};

export interface LeaseSettings {
  /**
   * Maximum time, in milliseconds, for which an instance holds leased tokens before it spends or
   * returns them, up to 600,000. If Redis is far away, 5,000 to 10,000 is a good value: see
   * [one Redis for several regions](regions.md). @default 100
   */
  lengthMs?: number;
  /** Number of charges within `lengthMs` above which a counter is leased. @default 4 */
  after?: number;
}

export interface LeaseOptions extends LeaseSettings {
  /** Clock in milliseconds: monotonic, or the injected time that is also passed to Redis. */
  clock: Clock;
  /** Calls `run` once after the delay. Returns a function that cancels it. */
  schedule(run: () => void, afterMs: number): () => void;
}

/** Totals of the tokens that this process leased. */
export interface LeaseTotals {
  /** Number of decisions that needed no call to Redis. */
  decisions: number;
  /**
   * Number of tokens leased so far. Tokens that were neither returned nor lost, and are not held,
   * were spent.
   */
  taken: number;
  returned: number;
  /**
   * Number of tokens that Redis may have charged and that were never spent, because Redis did not
   * reply.
   */
  lost: number;
}
