import { defineConfig } from 'vitest/config';
import { ALL_IDS, createFaultReport } from './test/report/fault-report.js';
import { common, forAll, shared } from './vitest.config.js';

const file = process.env['FAULT_REPORT'] ?? 'fault-report.md';

/** Files that assert or report times. Other load at the same time would be part of the figures. */
const TIMED = ['redis', 'redis-cluster', 'redis-platform', 'soak', 'usage'].map(
  (name) => `test/faults/${name}.test.ts`,
);

/** Attacks and faults of servers, with a report by id. */
export default defineConfig({
  ...shared,
  test: {
    ...forAll,
    reporters: ['default', createFaultReport({ file, expected: ALL_IDS })],
    projects: [
      {
        ...shared,
        test: {
          ...common,
          name: 'side by side',
          // The Lua scripts have their own tests; the requests that they reject belong in the report.
          include: ['test/abuse/**/*.test.ts', 'test/faults/**/*.test.ts', 'test/limiter/**/scripts.test.ts'],
          exclude: TIMED,
          // They mostly wait.
          maxWorkers: 4,
        },
      },
      // One worker, so that these files run one after the other, after all others.
      { ...shared, test: { ...common, name: 'alone', include: TIMED, exclude: [], maxWorkers: 1 } },
    ],
  },
});
