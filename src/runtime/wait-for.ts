import { timerMs } from './schedule.js';

/** The part of an `AbortSignal` that Tollgate uses. */
export type StopSignal = Pick<AbortSignal, 'aborted' | 'reason'> & {
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
};

/**
 * Resolves to true after `delayMs` milliseconds. If the signal is aborted before that, resolves to
 * false immediately.
 */
export function waitFor(delayMs: number, signal: StopSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve(true);
    }, timerMs(delayMs));
    signal?.addEventListener('abort', stop);
  });
}

/**
 * Calls `onAbort` when a signal is aborted. Does nothing if it already is. Returns the function that
 * removes the callback.
 */
export function whenAborted(signal: StopSignal | undefined, onAbort: () => void): () => void {
  if (!signal || signal.aborted) return () => {};
  signal.addEventListener('abort', onAbort);
  return () => signal.removeEventListener('abort', onAbort);
}
