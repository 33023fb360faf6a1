/** What one check has found. `WARNING`: it works, and not as it should; `FAILURE`: it will not work. */
export interface Finding {
  level: 'OK' | 'WARNING' | 'FAILURE';
  /** What was looked at. */
  subject: string;
  /** What was found, and what to do about it. */
  says: string;
}

export function finding(level: Finding['level'], subject: string, says: string): Finding {
  return { level, subject, says };
}

/** A clock that differs by more makes tokens and windows of one caller disagree with what they are told. */
const CLOCK_WARNING_MS = 1000;
const CLOCK_FAILURE_MS = 5000;

/** How another clock differs from this one, given when it was asked and when it answered. Milliseconds since 1970. */
export function judgeClock(subject: string, theirMs: number, askedMs: number, answeredMs: number): Finding {
  const offByMs = theirMs < askedMs ? theirMs - askedMs : Math.max(0, theirMs - answeredMs);
  const size = Math.abs(offByMs);
  if (size <= CLOCK_WARNING_MS) return finding('OK', subject, `within ${CLOCK_WARNING_MS / 1000} s of this machine's`);
  const direction = offByMs > 0 ? 'ahead of' : 'behind';
  return finding(
    size > CLOCK_FAILURE_MS ? 'FAILURE' : 'WARNING',
    subject,
    `${(size / 1000).toFixed(1)} s ${direction} this machine's: keys, overrides and answers go by both; run NTP on each`,
  );
}
