import { defineNumber, type NumberOption } from './define-number.js';

/**
 * Numeric options of `createLimiter` and `createTollgate`. Each is also a setting of the platform.
 */
export interface CounterOptions {
  /**
   * Maximum number of users, tenants, addresses and so on whose counters are in memory. Each takes
   * about 500 bytes. Counters are in memory without Redis, or while Redis is unavailable. Beyond
   * the maximum, the least used counters are evicted.
   * @default 100_000
   */
  maxPartitions?: number;
  /**
   * Maximum time without a reply from Redis, in milliseconds. After that, each limit decides
   * without Redis, as its `onUnavailable` defines. While Redis still replies to earlier calls of
   * the process, a queued call waits up to a second longer. A call is never repeated.
   * @default 25
   */
  deadlineMs?: number;
  /**
   * Minimum number of instances that share the limits. Redis counts the instances. While Redis is
   * unavailable, each instance keeps the share that it had before. An instance that starts without
   * Redis divides the limits by this number.
   * @default 1
   */
  instances?: number;
}

/**
 * Declarations of the counter options. A new option is declared only here. Its check, setting,
 * flag, help and the value shown to administrators are derived from the declaration.
 */
export const COUNTER_OPTIONS = {
  maxPartitions: defineNumber({
    least: 1,
    most: 10_000_000,
    default: 100_000,
    unit: 'callers',
    setting: {
      variable: 'TOLLGATE_MAX_PARTITIONS',
      flag: 'max-partitions',
      description: 'maximum number of callers whose counters are kept in memory',
      docs: 'The maximum number of users, tenants and addresses whose counters are in memory. Counters are in memory without `REDIS_URL`, or while Redis is unavailable. The counters of one of them take about 500 bytes. Beyond this number, the least used counters are dropped: see [failure-modes.md](failure-modes.md#what-the-process-keeps-in-memory).',
    },
  }),
  deadlineMs: defineNumber({
    least: 1,
    most: 60_000,
    default: 25,
    unit: 'milliseconds',
    setting: {
      variable: 'TOLLGATE_REDIS_DEADLINE_MS',
      flag: 'redis-deadline-ms',
      description: 'time after which a decision is made without Redis',
      docs: 'The maximum time, in milliseconds, for which a decision waits while Redis sends no reply. Tollgate then decides without Redis: see [limits.md](limits.md#when-redis-does-not-answer).',
    },
  }),
  instances: defineNumber({
    least: 1,
    most: 1000,
    default: 1,
    unit: 'processes',
    setting: {
      variable: 'TOLLGATE_INSTANCES',
      flag: 'instances',
      description: 'minimum number of instances that share the limits',
      docs: 'The smallest number of instances that share the limits. While Redis is unavailable, each instance divides each limit by this number, or by the number of instances last counted in Redis if that is larger. An instance that has not counted yet uses this setting.',
    },
  }),
} as const satisfies Record<keyof CounterOptions, NumberOption>;

/** Returns the counter options that are defined. */
export function counterOptionsIn(given: CounterOptions): CounterOptions {
  const names = Object.keys(COUNTER_OPTIONS) as (keyof CounterOptions)[];
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}
