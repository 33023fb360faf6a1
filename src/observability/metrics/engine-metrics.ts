import type { Registry } from 'prom-client';
import type { DenialMemoryTotals } from '../../limiter/denials/denial-memory.js';
import type { PoolHealth } from '../../limiter/fallback/engine-observer.js';
import type { SlotReleaseTotals } from '../../limiter/fallback/unsent-releases.js';
import type { EngineFailure } from '../../limiter/redis/engine-failure.js';
import { Counter, Gauge } from './load-prom-client.js';

const BREAKER_VALUES = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 } as const;

/** Counts the failures of Redis by class. */
export function countEngineFailures(registry: Registry): (failure: EngineFailure) => void {
  const failures = new Counter({
    name: 'tollgate_engine_errors_total',
    help: 'Calls to Redis that failed, by class; the decision was then made without it. Alarm on auth and script.',
    labelNames: ['pool', 'class'],
    registers: [registry],
  });
  return (failure) => failures.inc({ pool: failure.pool, class: failure.class });
}

/** Counts the decisions that were made without a Redis that replied to others. */
export function countFallenBehind(registry: Registry): (pool: string) => void {
  const decisions = new Counter({
    name: 'tollgate_engine_fell_behind_total',
    help: 'Decisions that waited longer than the deadline allows although Redis replied to others, and were made without it.',
    labelNames: ['pool'],
    registers: [registry],
  });
  return (pool) => decisions.inc({ pool });
}

/** Shows, at each scrape, whether Redis decides, and how many instances share it. */
export function showEngines(registry: Registry, health: () => readonly PoolHealth[]): void {
  new Gauge({
    name: 'tollgate_breaker_state',
    help: '0 while Redis decides, 1 while a probe asks whether it is back, 2 while decisions are made without it.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const { pool, state } of health()) this.set({ pool }, BREAKER_VALUES[state]);
    },
  });
  new Gauge({
    name: 'tollgate_instances',
    help: 'Instances that share a Redis; while it is away each enforces its part of every limit.',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const { pool, instances } of health()) this.set({ pool }, instances);
    },
  });
}

/** Shows, at each scrape, of how many ended slots Redis is still to be told. */
export function showSlotReleases(registry: Registry, totals: () => Readonly<SlotReleaseTotals>): void {
  new Gauge({
    name: 'tollgate_slot_releases_waiting',
    help: 'Operations that have ended and whose concurrency slots stay taken until Redis, which did not answer, is told.',
    registers: [registry],
    collect() {
      this.set(totals().waiting);
    },
  });
  new Counter({
    name: 'tollgate_slot_releases_dropped_total',
    help: 'Of these, those that made room for others: their slots stay taken until their leaseMs ends.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(totals().dropped);
    },
  });
}

/** Shows, at each scrape, how many denials took no call to Redis, and what is kept to know them. */
export function showRememberedDenials(registry: Registry, totals: () => Readonly<DenialMemoryTotals>): void {
  new Counter({
    name: 'tollgate_remembered_denials_total',
    help: 'Charges that were denied without a call to Redis, which had denied the same caller just before; they count among the decisions too.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(totals().answered);
    },
  });
  new Gauge({
    name: 'tollgate_denial_memory_bytes',
    help: 'What is kept of denied callers, estimated.',
    registers: [registry],
    collect() {
      this.set(totals().bytes);
    },
  });
}
