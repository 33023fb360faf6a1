import { defineConfig } from 'vitest/config';
import { ALL_IDS, createFaultReport } from './test/report/fault-report.js';
import { common, forAll, shared } from './vitest.config.js';

const file = process.env['FAULT_REPORT'] ?? 'fault-report.md';

/** They hold answers to times, or tell them: whatever else runs would be measured too. */
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
          // The scripts have tests of their own; what they refuse belongs into the report.
          include: ['test/abuse/**/*.test.ts', 'test/faults/**/*.test.ts', 'test/limiter/**/scripts.test.ts'],
          exclude: TIMED,
          // They mostly wait.
          maxWorkers: 4,
        },
      },
      // One worker: they come after the others, one after the other.
      { ...shared, test: { ...common, name: 'alone', include: TIMED, exclude: [], maxWorkers: 1 } },
    ],
  },
});
