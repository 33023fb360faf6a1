import { defineConfig } from 'vitest/config';
import { ALL_IDS, createFaultReport } from './test/report/fault-report.js';
import base from './vitest.config.js';

const file = process.env['FAULT_REPORT'] ?? 'fault-report.md';

/** What must not get through and what must not bring it down, with a report by id. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/abuse/**/*.test.ts', 'test/faults/**/*.test.ts'],
    reporters: ['default', createFaultReport({ file, expected: ALL_IDS })],
  },
});
