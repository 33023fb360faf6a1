import type { MEASURED } from '../src/capacity/measured.js';

/** Descriptions of the measured constants, for the table of docs/capacity.md. */
export const CAPACITY_CONSTANTS: Readonly<Record<keyof typeof MEASURED, string>> = {
  redisUsOfOneLimit: 'CPU of Redis for an operation with one limit, in us: a charge and a settlement',
  redisUsOfSixLimits: 'the same with six limits of one caller',
  nodeUsOfOneLimit: 'CPU of an instance for the same two calls, in us',
  nodeUsOfSixLimits: 'the same with six limits',
  wireBytesOfOneLimit: 'bytes between an instance and Redis for an operation with one limit, without TCP headers',
  wireBytesOfSixLimits: 'the same with six limits',
  counterBytesOfOneLimit: 'memory of Redis for a caller with a bucket, in bytes',
  counterBytesOfSixLimits: 'memory of Redis for a caller with a bucket and five windows, in bytes',
  keyCopyBytes: 'memory of Redis for the copy of an API key, in bytes; it expires after an hour',
  userCopyBytes: 'memory of Redis for the copy of a user that a token or `identify` names, in bytes',
  minuteRowBytes: 'a row of `usage_minute` with its indexes, in bytes',
  hourRowBytes: 'a row of `usage_hour`',
  dayRowBytes: 'a row of `usage_day`',
  callerHourRowBytes: 'a row of `usage_subject_hour`',
  callerDayRowBytes: 'a row of `usage_subject_day`',
  callerWeekRowBytes: 'a row of `usage_subject_week`',
  eventRowBytes: 'a row of `events`',
  postgresUsOfEntry: 'CPU of PostgreSQL to store an entry: a caller and an operation, in all tables, in us',
  postgresUsOfBatch: 'CPU of PostgreSQL for a batch in addition to its entries, in us',
  batchesPerSecond: 'batches of 25 entries that 24 instances store in one PostgreSQL in a second',
  entriesPerSecond: 'entries that 24 instances store in one PostgreSQL in a second, in batches of 500',
  entriesPerSecondAlone: 'entries that one instance stores in a second, in batches of 4,000',
  serverUsOfOperation:
    'CPU of an instance for an operation of the sample API over HTTP, with six limits, Redis and usage, in us',
};
