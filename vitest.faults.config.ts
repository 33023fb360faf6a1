import { defineConfig } from 'vitest/config';
import { ALL_IDS, createFaultReport } from './test/report/fault-report.js';
import base from './vitest.config.js';

const file = process.env['FAULT_REPORT'] ?? 'fault-report.md';

/** What must not get through and what must not bring it down, with a report by id. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    // Servers are started, frozen and killed here: with patience.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The scripts have tests of their own; what they refuse belongs into the report.
    include: ['test/abuse/**/*.test.ts', 'test/faults/**/*.test.ts', 'test/limiter/scripts.test.ts'],
    exclude: [],
    reporters: ['default', createFaultReport({ file, expected: ALL_IDS })],
  },
});
