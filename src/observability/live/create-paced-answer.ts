/** Answers whoever asks, once for all who ask meanwhile. */
interface PacedAnswer {
  /** Answers at once, or as soon as so much time is over since the answer before. */
  soon(): void;
  close(): void;
}

/** @param giveAnswer called so often at most */
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
