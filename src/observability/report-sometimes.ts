const REPORT_EVERY_MS = 10_000;

/**
 * Returns a function that reports the first of many similar failures, and then at most one every
 * ten seconds.
 */
export function reportSometimes(report: (what: unknown) => void): (what: unknown) => void {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  return (what) => {
    const nowMs = performance.now();
    if (nowMs - reportedAtMs < REPORT_EVERY_MS) return;
    reportedAtMs = nowMs;
    report(what);
  };
}
