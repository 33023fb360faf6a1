/**
 * Maximum difference between the clocks of the browser and the platform that is ignored, in
 * milliseconds. Dates in responses have whole seconds, and responses take time to arrive.
 */
const TOLERATED_MS = 30_000;

let aheadMs = 0;

/**
 * Records the platform's time from a response. The pages show ranges of usage, resets and expiries
 * relative to this time.
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
