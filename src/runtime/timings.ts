import { type Clock, monotonicClock } from './clock.js';
import { schedule } from './schedule.js';

/** Sources of time and randomness, which tests can replace. */
export interface Timings {
  /** Monotonic clock, in milliseconds. */
  clock: Clock;
  /** Runs a function after a delay in milliseconds, and returns a function that cancels it. */
  schedule: (run: () => void, afterMs: number) => () => void;
  /** Returns a random number that is at least 0 and below 1. */
  random: () => number;
}

export const TIMINGS: Timings = { clock: monotonicClock, schedule, random: Math.random };
