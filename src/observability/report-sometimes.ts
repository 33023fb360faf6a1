const REPORT_EVERY_MS = 10_000;

/** Passes on the first of many failures alike, and one every ten seconds while they last. */
export function reportSometimes(report: (what: unknown) => void): (what: unknown) => void {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  return (what) => {
    const nowMs = performance.now();
    if (nowMs - reportedAtMs < REPORT_EVERY_MS) return;
    reportedAtMs = nowMs;
    report(what);
  };
}
