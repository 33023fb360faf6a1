import { type Clock, monotonicClock } from './clock.js';
import { schedule } from './schedule.js';

/** Time and chance; tests replace them. */
export interface Timings {
  /** Monotonic milliseconds. */
  clock: Clock;
  /** Runs something later, and returns how to prevent it. */
  schedule: (run: () => void, afterMs: number) => () => void;
  /** From 0 to below 1. */
  random: () => number;
}

export const TIMINGS: Timings = { clock: monotonicClock, schedule, random: Math.random };
