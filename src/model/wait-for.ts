import type { StopSignal } from './stop.js';

/** Waits that long; false as soon as the signal is or becomes aborted. */
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
    }, delayMs);
    signal?.addEventListener('abort', stop);
  });
}
