import { MAX_DELAY_MS } from '../model/limit-parameters.js';

/**
 * Longest delay of a timer of Node and of browsers in milliseconds, about 24.8 days. A timer with a
 * longer delay fires after a millisecond
 * (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args).
 */
const MAX_TIMER_MS = MAX_DELAY_MS;

/**
 * Runs a function later, after at most `MAX_TIMER_MS`, and returns a function that cancels it. The
 * timer is unref'd, so that it does not keep the process alive.
 */
export function schedule(run: () => void, afterMs: number): () => void {
  const timer = setTimeout(run, timerMs(afterMs)).unref();
  return () => clearTimeout(timer);
}

/** Limits a delay in milliseconds to the longest one of a timer. */
export function timerMs(afterMs: number): number {
  return Math.min(afterMs, MAX_TIMER_MS);
}
