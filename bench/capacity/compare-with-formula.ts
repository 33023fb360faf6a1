import { setTimeout } from 'node:timers/promises';
import { expectedRows } from '../../src/capacity/expected-rows.js';
import { MEASURED } from '../../src/capacity/measured.js';
import { numberText } from '../../src/capacity/number-text.js';
import { redisCpuUs } from '../frame/redis-cpu.js';
import { watchParts } from '../load/watch-parts.js';
import { simulateUsage } from './simulate-usage.js';
import type { Fleet } from './start-fleet.js';

/** Default of `TOLLGATE_USAGE_FLUSH_MS`, in seconds. */
const FLUSH_S = 1;
const SEED = 1;
/** Time until PostgreSQL has published the statistics of its tables. */
const STATISTICS_MS = 3_000;

/** Use of the resources of a fleet while it works. */
export interface Use {
  elapsedMs: number;
  instancesMs: number;
  redisMs: number;
  wireBytes: number;
  postgresMs: number;
  entries: number;
}

export interface Load {
  rate: number;
  seconds: number;
  users: number;
  zipf: number;
}

interface Row {
  what: string;
  real: number;
  formula: number;
  /** Result of the simulation; undefined for figures that depend on the machine. */
  simulation?: number;
}

/** Measures the use during `work`, until all usage of it is stored. */
export async function measureUse({ redis, db, pids }: Fleet, work: () => Promise<unknown>): Promise<Use> {
  const read = async () => {
    await setTimeout(STATISTICS_MS);
    const [stored] = await db.query<{ entries: number }>(
      `select coalesce(sum(n_tup_ins + n_tup_upd), 0)::float8 as entries
       from pg_stat_user_tables where relname like 'usage\\_day\\_p%'`,
    );
    return { ...(await readRedis(redis)), redisMs: (await redisCpuUs(redis)) / 1000, entries: stored!.entries };
  };
  const before = await read();
  const startedMs = performance.now();
  const watch = watchParts({
    ...Object.fromEntries(pids.instances.map((pid, index) => [`instance ${index + 1}`, pid])),
    PostgreSQL: pids.postgres,
  });
  await work();
  const after = await read();
  const elapsedMs = performance.now() - startedMs;
  const parts = watch.stop();
  const cpuMs = (name: string) =>
    parts
      .filter((part) => part.name.startsWith(name))
      .reduce((sum, { cpuPercent }) => sum + (cpuPercent / 100) * elapsedMs, 0);
  return {
    elapsedMs,
    instancesMs: cpuMs('instance'),
    redisMs: after.redisMs - before.redisMs,
    wireBytes: after.wireBytes - before.wireBytes,
    postgresMs: cpuMs('PostgreSQL'),
    entries: after.entries - before.entries,
  };
}

/** Reads the memory of Redis, and the bytes that it has received and sent. */
export async function readRedis(redis: Fleet['redis']): Promise<{ wireBytes: number; memoryBytes: number }> {
  const info = await redis.info();
  const number = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
  return {
    wireBytes: number('total_net_input_bytes') + number('total_net_output_bytes'),
    memoryBytes: number('used_memory'),
  };
}

/** Returns the use without the part that the fleet has without requests. */
export function withoutIdle(use: Use, idle: Use): Use {
  const part = (of: keyof Use) => use[of] - (idle[of] * use.elapsedMs) / idle.elapsedMs;
  return {
    elapsedMs: use.elapsedMs,
    instancesMs: part('instancesMs'),
    redisMs: part('redisMs'),
    wireBytes: part('wireBytes'),
    postgresMs: part('postgresMs'),
    entries: use.entries,
  };
}

/**
 * Compares a run with the formulas of the plan. `cpuUs` is the processor time of an instance for an
 * operation, measured in an earlier run.
 */
export function compare(use: Use, { load, instances, cpuUs }: { load: Load; instances: number; cpuUs: number }): Row[] {
  const operations = load.rate * load.seconds;
  const batches = (instances * load.seconds) / FLUSH_S;
  const entries =
    batches * expectedRows({ callers: load.users, exponent: load.zipf }, { operations: operations / batches });
  const simulated = simulateUsage({ ...load, instances, rps: load.rate, flushMs: FLUSH_S * 1000, seed: SEED });
  return [
    { what: 'CPU of all instances, ms', real: use.instancesMs, formula: (operations * cpuUs) / 1000 },
    {
      what: 'CPU of Redis, ms',
      real: use.redisMs,
      formula: (operations * MEASURED.redisUsOfSixLimits.value) / 1000,
    },
    {
      what: 'bytes between instances and Redis, MB',
      real: use.wireBytes / 1e6,
      formula: (operations * MEASURED.wireBytesOfSixLimits.value) / 1e6,
    },
    { what: 'entries of usage', real: use.entries, formula: entries, simulation: simulated.entries },
    {
      what: 'CPU of PostgreSQL, ms',
      real: use.postgresMs,
      formula: (batches * MEASURED.postgresUsOfBatch.value + entries * MEASURED.postgresUsOfEntry.value) / 1000,
    },
  ];
}

/** Compares the callers and the memory of Redis after all operations since the start of the fleet. */
export async function compareCallers(
  { redis, db }: Fleet,
  { load, operations, memoryBytesAtStart }: { load: Load; operations: number; memoryBytesAtStart: number },
): Promise<Row[]> {
  const [stored] = await db.query<{ callers: number }>(
    'select count(distinct subject_id)::float8 as callers from usage_subject_day',
  );
  const callers = expectedRows({ callers: load.users, exponent: load.zipf }, { operations });
  const once = { ...load, instances: 1, rps: operations, seconds: 1, flushMs: 1000, seed: SEED };
  return [
    { what: 'callers', real: stored!.callers, formula: callers, simulation: simulateUsage(once).callers },
    {
      what: 'memory of Redis, kB',
      real: ((await readRedis(redis)).memoryBytes - memoryBytesAtStart) / 1000,
      formula: (callers * (MEASURED.counterBytesOfSixLimits.value + MEASURED.keyCopyBytes.value)) / 1000,
    },
  ];
}

export function comparisonTable(rows: readonly Row[]): string {
  return [
    '| resource | real run | formula | simulation | real / formula |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows.map(({ what, real, formula, simulation }) => {
      const shown = simulation === undefined ? '-' : numberText(simulation);
      return `| ${what} | ${numberText(real)} | ${numberText(formula)} | ${shown} | ${(real / formula).toFixed(2)} |`;
    }),
  ].join('\n');
}
