/** Sends one answer for all requests that arrive within an interval. */
interface PacedAnswer {
  /**
   * Schedules an answer: at once, or as soon as the interval since the previous answer has passed.
   */
  soon(): void;
  close(): void;
}

/**
 * Creates the scheduling of answers.
 * @param giveAnswer called at most once in `everyMs`
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
