import type { Registry } from 'prom-client';
import type { DenialMemoryTotals } from '../../limiter/denials/denial-memory.js';
import type { PoolHealth } from '../../limiter/fallback/engine-observer.js';
import { MAX_WAITING, type SlotReleaseTotals } from '../../limiter/fallback/unsent-releases.js';
import type { EngineFailure } from '../../limiter/redis/engine-failure.js';
import { Counter, Gauge } from './load-prom-client.js';

const BREAKER_VALUES = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 } as const;

/** Creates the counter of Redis failures, by class. */
export function countEngineFailures(registry: Registry): (failure: EngineFailure) => void {
  const failures = new Counter({
    name: 'tollgate_engine_errors_total',
    help: 'Calls to Redis that failed, by class. The decision was then made without Redis. A call that fails after its deadline counts twice: as deadline, and by its class. Alert on auth and script.',
    labelNames: ['pool', 'class'],
    registers: [registry],
  });
  return (failure) => failures.inc({ pool: failure.pool, class: failure.class });
}

/**
 * Creates the counter of decisions that were made without Redis although Redis replied to other
 * calls.
 */
export function countFallenBehind(registry: Registry): (pool: string) => void {
  const decisions = new Counter({
    name: 'tollgate_engine_fell_behind_total',
    help: 'Decisions made without Redis although Redis replied to other calls within the deadline. Either calls waited in a queue for more than a second, or one node of a Cluster did not respond while other nodes did.',
    labelNames: ['pool'],
    registers: [registry],
  });
  return (pool) => decisions.inc({ pool });
}

/**
 * Registers the state of the circuit breaker and the number of instances that share a Redis, read
 * at each scrape.
 */
export function showEngines(registry: Registry, health: () => readonly PoolHealth[]): void {
  new Gauge({
    name: 'tollgate_breaker_state',
    help: '0 while the Redis of the pool decides, 1 while a probe checks whether it is available again, 2 while decisions are made without it. The pool of REDIS_URL is "default".',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const { pool, state } of health()) this.set({ pool }, BREAKER_VALUES[state]);
    },
  });
  new Gauge({
    name: 'tollgate_instances',
    help: 'Instances that share a Redis. While Redis is unavailable, each enforces its part of every limit.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const { pool, instances } of health()) this.set({ pool }, instances);
    },
  });
}

/**
 * Registers the number of slot releases that wait for Redis, and of dropped releases, read at each
 * scrape.
 */
export function showSlotReleases(registry: Registry, totals: () => Readonly<SlotReleaseTotals>): void {
  new Gauge({
    name: 'tollgate_slot_releases_waiting',
    help: 'Operations that ended while Redis was unavailable. Their concurrency slots stay in use until Redis receives the release.',
    registers: [registry],
    collect() {
      this.set(totals().waiting);
    },
  });
  new Counter({
    name: 'tollgate_slot_releases_dropped_total',
    help: `Operations whose release of a concurrency slot was dropped, because more than ${MAX_WAITING.toLocaleString('en-US')} releases waited for Redis. Their slots stay in use until leaseMs has passed.`,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(totals().dropped);
    },
  });
}

/**
 * Registers the number of denials without a call to Redis, and the memory of remembered denials,
 * read at each scrape.
 */
export function showRememberedDenials(registry: Registry, totals: () => Readonly<DenialMemoryTotals>): void {
  new Counter({
    name: 'tollgate_remembered_denials_total',
    help: 'Charges denied without a call to Redis, because Redis denied the same caller a moment before. They count as decisions too.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(totals().answered);
    },
  });
  new Gauge({
    name: 'tollgate_denial_memory_bytes',
    help: 'Estimated memory of the remembered denials, in bytes.',
    registers: [registry],
    collect() {
      this.set(totals().bytes);
    },
  });
}
