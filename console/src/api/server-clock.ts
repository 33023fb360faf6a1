/**
 * Maximum difference that is ignored. Dates in responses have whole seconds, and responses take
 * time to arrive.
 */
const TOLERATED_MS = 30_000;

let aheadMs = 0;

/**
 * Records the platform's time from a response. Ranges of usage, resets and expiries depend on it.
 */
export function noteServerTime({ headers }: Pick<Response, 'headers'>): void {
  const atMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(atMs)) return;
  const differenceMs = Date.now() - atMs;
  aheadMs = Math.abs(differenceMs) > TOLERATED_MS ? differenceMs : 0;
}

/** Returns the platform's time: the browser's time, corrected by the known error of its clock. */
export function serverNow(): number {
  return Date.now() - aheadMs;
}
