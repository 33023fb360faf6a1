/**
 * Result of one check. `WARNING`: the platform works, but with a problem. `FAILURE`: it does not
 * work.
 */
export interface Finding {
  level: 'OK' | 'WARNING' | 'FAILURE';
  /** Name of the check. */
  subject: string;
  /** Result, and the remedy if there is one. */
  message: string;
}

export function finding(level: Finding['level'], subject: string, message: string): Finding {
  return { level, subject, message };
}

/**
 * Clock difference in milliseconds above which the check warns. With a larger difference, the times
 * in responses no longer agree with the tokens and windows of the caller.
 */
const CLOCK_WARNING_MS = 1000;
const CLOCK_FAILURE_MS = 5000;

/**
 * Compares the clock of a server with the local clock. `askedMs` and `answeredMs` are the local
 * times of the request and of its response. All times are milliseconds since 1970.
 */
export function judgeClock(subject: string, theirMs: number, askedMs: number, answeredMs: number): Finding {
  const offByMs = theirMs < askedMs ? theirMs - askedMs : Math.max(0, theirMs - answeredMs);
  const size = Math.abs(offByMs);
  if (size <= CLOCK_WARNING_MS) return finding('OK', subject, `within ${CLOCK_WARNING_MS / 1000} s of this machine's`);
  const direction = offByMs > 0 ? 'ahead of' : 'behind';
  return finding(
    size > CLOCK_FAILURE_MS ? 'FAILURE' : 'WARNING',
    subject,
    `${(size / 1000).toFixed(1)} s ${direction} this machine's: API keys, overrides and responses depend on both clocks; run NTP on both`,
  );
}
