import { MAX_DELAY_MS } from '../model/limit-parameters.js';

/**
 * Maximum delay of a timer in Node and in browsers, in milliseconds. It is about 24.8 days. A timer
 * with a longer delay fires after one millisecond
 * (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args).
 */
const MAX_TIMER_MS = MAX_DELAY_MS;

/**
 * Runs a function after a delay, which is limited to `MAX_TIMER_MS`. Returns a function that
 * cancels the timer. The timer is unref'd, so that it does not keep the process alive.
 */
export function schedule(run: () => void, afterMs: number): () => void {
  const timer = setTimeout(run, timerMs(afterMs)).unref();
  return () => clearTimeout(timer);
}

/**
 * Works like `schedule`, but the timer keeps the process alive, because a caller waits for it.
 */
export function scheduleAwaited(run: () => void, afterMs: number): () => void {
  const timer = setTimeout(run, timerMs(afterMs));
  return () => clearTimeout(timer);
}

/** Limits a delay to `MAX_TIMER_MS`. Both are in milliseconds. */
export function timerMs(afterMs: number): number {
  return Math.min(afterMs, MAX_TIMER_MS);
}
