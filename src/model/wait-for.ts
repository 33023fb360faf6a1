import { setTimeout as sleep } from 'node:timers/promises';

/** Waits that long; false as soon as the signal is or becomes aborted. */
export async function waitFor(delayMs: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(delayMs, undefined, signal ? { signal } : {});
    return true;
  } catch (error) {
    if (!signal?.aborted) throw error;
    return false;
  }
}
