import { defineNumber } from './define-number.js';

/** The numbers of a limiter that are also options of `createTollgate` and settings of the platform. */
export const COUNTER_OPTIONS = {
  maxPartitions: defineNumber({ least: 1, most: 10_000_000, default: 100_000, unit: 'counters' }),
  deadlineMs: defineNumber({ least: 1, most: 60_000, default: 25, unit: 'milliseconds' }),
  instances: defineNumber({ least: 1, most: 1000, default: 1, unit: 'processes' }),
};
