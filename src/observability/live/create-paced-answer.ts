/** Sends one report for all requests that arrive within an interval. */
interface PacedAnswer {
  /**
   * Schedules a report: immediately, or as soon as the interval since the previous report has
   * passed.
   */
  soon(): void;
  close(): void;
}

/**
 * Creates the scheduling of reports.
 * @param giveAnswer sends the report; called at most once in `everyMs`
 */
export function createPacedAnswer(everyMs: number, giveAnswer: () => void): PacedAnswer {
  let answer: NodeJS.Timeout | undefined;
  let answeredMs = 0;

  function answerNow(): void {
    answer = undefined;
    answeredMs = performance.now();
    giveAnswer();
  }

  return {
    soon() {
      const waitMs = answeredMs + everyMs - performance.now();
      answer ??= setTimeout(answerNow, Math.max(0, waitMs)).unref();
    },
    close: () => clearTimeout(answer),
  };
}
