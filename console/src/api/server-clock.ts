/** Answers tell the time in whole seconds, and take some to arrive. */
const TOLERATED_MS = 30_000;

let aheadMs = 0;

/** Takes note of the platform's time, as an answer tells it: usage is asked for by it, and resets and expiries are told by it. */
export function noteServerTime({ headers }: Pick<Response, 'headers'>): void {
  const atMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(atMs)) return;
  const differenceMs = Date.now() - atMs;
  aheadMs = Math.abs(differenceMs) > TOLERATED_MS ? differenceMs : 0;
}

/** What time it is for the platform: that of the browser, but for what its clock is wrong by. */
export function serverNow(): number {
  return Date.now() - aheadMs;
}
