import { openSync, readSync } from 'node:fs';

/**
 * For how long this thread has been ready to run and had no processor, in milliseconds. Linux counts it
 * (https://docs.kernel.org/scheduler/sched-stats.html, the second number); elsewhere it is 0 for ever.
 */
export function waitingTimeMs(): number {
  file ??= open();
  if (file === NONE) return 0;
  try {
    const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
    const start = text.indexOf(' ') + 1;
    return Number(text.slice(start, text.indexOf(' ', start))) / 1e6;
  } catch {
    file = NONE;
    return 0;
  }
}

const NONE = -1;
/** Kept open: to open it takes longer than to read it. */
let file: number | undefined;
const bytes = Buffer.alloc(64);

function open(): number {
  try {
    return openSync('/proc/thread-self/schedstat', 'r');
  } catch {
    return NONE;
  }
}
