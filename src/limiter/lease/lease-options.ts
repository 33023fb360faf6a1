import { defineNumber } from '../../options/define-number.js';
import type { Clock } from '../../runtime/clock.js';

export const LEASES = {
  lengthMs: defineNumber({ least: 10, default: 100, unit: 'milliseconds' }),
  after: defineNumber({ least: 1, default: 4, unit: 'charges' }),
};

export interface LeaseSettings {
  /** How long tokens are held at most. Every instance may be so late in what it admits and returns. @default 100 */
  lengthMs?: number;
  /** A counter that is charged more than so often in that time is leased. @default 4 */
  after?: number;
}

export interface LeaseOptions extends LeaseSettings {
  /** Monotonic milliseconds. */
  clock: Clock;
  /** Calls `run` once; returns what stops it. */
  schedule(run: () => void, afterMs: number): () => void;
}

/** What became of the tokens that this process took ahead. */
export interface LeaseTotals {
  /** Decisions of which no limit was asked in Redis. */
  decisions: number;
  /** Tokens taken ahead so far. What was neither returned nor lost, and is not held, was spent. */
  taken: number;
  returned: number;
  /** Tokens that Redis may have been charged, and that were never spent: it did not answer. */
  lost: number;
}
