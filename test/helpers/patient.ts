import type { LimiterOptions } from '../../src/limiter/limiter-options.js';

/** The deadline of tests that are not about slow answers: the machine may be busy with other tests. */
export const PATIENT_MS = 20_000;

/** For limiters whose Redis has to decide: a failure of it fails the test that caused it. */
export const PATIENT: Pick<LimiterOptions, 'deadlineMs' | 'observer'> = {
  deadlineMs: PATIENT_MS,
  observer: {
    failed({ error }) {
      // What an observer throws fails no decision.
      queueMicrotask(() => {
        throw error;
      });
    },
  },
};
