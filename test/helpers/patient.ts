import type { LimiterOptions } from '../../src/limiter/limiter-options.js';

/**
 * Deadline for tests that do not test slow replies. It is long, because other tests may keep the
 * machine busy.
 */
export const PATIENT_MS = 20_000;

/**
 * Options of limiters for tests in which Redis must make all decisions. A failure of Redis fails
 * the test that caused it.
 */
export const PATIENT: Pick<LimiterOptions, 'deadlineMs' | 'observer'> = {
  deadlineMs: PATIENT_MS,
  observer: {
    failed({ error }) {
      // The limiter catches errors that an observer throws, so this one is thrown outside of it.
      queueMicrotask(() => {
        throw error;
      });
    },
  },
};
