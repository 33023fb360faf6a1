/**
 * Returns the time of the monotonic clock in milliseconds. All processes of a machine share this
 * clock, unlike `performance.now()`.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
