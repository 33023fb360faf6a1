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
  /**
   * Percentage of the calls of the last second whose failure opens the circuit breaker of a Redis.
   * While it is open, decisions do not wait for Redis.
   * @default 50
   */
  breakerFailurePercent?: number;
  /** Minimum number of calls in the last second for `breakerFailurePercent`. @default 10 */
  breakerMinCalls?: number;
  /**
   * Number of consecutive failures over at least a second that opens the circuit breaker, for
   * processes with few calls.
   * @default 3
   */
  breakerFailuresInRow?: number;
  /**
   * Longest pause between two attempts to reach Redis while the circuit breaker is open, in
   * milliseconds. The first pause is at most 250.
   * @default 1000
   */
  breakerProbeMs?: number;
  /**
   * Longest pause between two attempts to connect to Redis, in milliseconds. Not for a client that
   * was passed in.
   * @default 500
   */
  reconnectMs?: number;
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
  breakerFailurePercent: defineNumber({
    least: 1,
    most: 100,
    default: 50,
    unit: 'percent',
    setting: {
      variable: 'TOLLGATE_BREAKER_FAILURE_PERCENT',
      flag: 'breaker-failure-percent',
      description: 'percentage of failed calls to Redis in a second that opens the circuit breaker',
      docs: 'The percentage of the calls to Redis in the last second whose failure opens the circuit breaker. While it is open, instances decide [without Redis](limits.md#when-redis-does-not-answer), and no decision waits for it.',
    },
  }),
  breakerMinCalls: defineNumber({
    least: 1,
    most: 1_000_000,
    default: 10,
    unit: 'calls',
    setting: {
      variable: 'TOLLGATE_BREAKER_MIN_CALLS',
      flag: 'breaker-min-calls',
      description: 'minimum number of calls in a second for the percentage of the circuit breaker',
      docs: 'The smallest number of calls in the last second for which `TOLLGATE_BREAKER_FAILURE_PERCENT` applies.',
    },
  }),
  breakerFailuresInRow: defineNumber({
    least: 1,
    most: 1_000_000,
    default: 3,
    unit: 'calls',
    setting: {
      variable: 'TOLLGATE_BREAKER_FAILURES_IN_ROW',
      flag: 'breaker-failures-in-row',
      description: 'number of consecutive failures over a second that opens the circuit breaker',
      docs: 'The number of consecutive failures, over at least a second, that opens the circuit breaker. It applies to instances with few calls.',
    },
  }),
  breakerProbeMs: defineNumber({
    least: 10,
    most: 60_000,
    default: 1000,
    unit: 'milliseconds',
    setting: {
      variable: 'TOLLGATE_BREAKER_PROBE_MS',
      flag: 'breaker-probe-ms',
      description: 'longest pause between attempts to reach Redis while the circuit breaker is open',
      docs: 'The longest pause, in milliseconds, between two attempts to reach Redis while the circuit breaker is open. The first pause is at most 250 ms. Each pause varies by a quarter, so that instances do not try at the same moment.',
    },
  }),
  reconnectMs: defineNumber({
    least: 25,
    most: 60_000,
    default: 500,
    unit: 'milliseconds',
    setting: {
      variable: 'TOLLGATE_REDIS_RECONNECT_MS',
      flag: 'redis-reconnect-ms',
      description: 'longest pause between attempts to connect to Redis',
      docs: 'The longest pause, in milliseconds, between two attempts to connect to Redis. The first pause is at most 50 ms, and each is twice as long as the one before.',
    },
  }),
} as const satisfies Record<keyof CounterOptions, NumberOption>;

/** Returns the counter options, with the defaults of those that are absent. */
export function withCounterDefaults(given: CounterOptions): Required<CounterOptions> {
  return {
    maxPartitions: given.maxPartitions ?? COUNTER_OPTIONS.maxPartitions.default,
    deadlineMs: given.deadlineMs ?? COUNTER_OPTIONS.deadlineMs.default,
    instances: given.instances ?? COUNTER_OPTIONS.instances.default,
    breakerFailurePercent: given.breakerFailurePercent ?? COUNTER_OPTIONS.breakerFailurePercent.default,
    breakerMinCalls: given.breakerMinCalls ?? COUNTER_OPTIONS.breakerMinCalls.default,
    breakerFailuresInRow: given.breakerFailuresInRow ?? COUNTER_OPTIONS.breakerFailuresInRow.default,
    breakerProbeMs: given.breakerProbeMs ?? COUNTER_OPTIONS.breakerProbeMs.default,
    reconnectMs: given.reconnectMs ?? COUNTER_OPTIONS.reconnectMs.default,
  };
}

/** Returns the counter options that are defined. */
export function counterOptionsIn(given: CounterOptions): CounterOptions {
  const names = Object.keys(COUNTER_OPTIONS) as (keyof CounterOptions)[];
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}
