import type { CapacityInputs } from './capacity-inputs.js';
import { expectedCallers } from './expected-callers.js';
import { MEASURED } from './measured.js';

/** One result of the plan. `formula` is the computation, with the values of this plan. */
export interface Figure {
  value: number;
  unit: 'cores' | 'bytes' | 'servers' | 'rows' | 'per second' | 'per month' | 'connections' | 'callers';
  formula: string;
}

/** A bound of one PostgreSQL or Redis, and the load that the plan puts on it. */
interface Wall {
  name: string;
  load: number;
  most: number;
  /** Change that helps if the load exceeds the bound. */
  advice: string;
}

export interface CapacityPlan {
  figures: Record<FigureName, Figure>;
  walls: Wall[];
}

type FigureName =
  | keyof ReturnType<typeof instancesOf>
  | keyof ReturnType<typeof redisOf>
  | keyof ReturnType<typeof postgresOf>
  | 'networkBytes'
  | 'cost';

const DAY_S = 86_400;
const MONTH_DAYS = 30;
/** Memory of the persisted queries, a fixed maximum for all instances. */
const PERSISTED_BYTES = 32 * 2 ** 20;
/** Factor for old versions of updated rows, which stay until PostgreSQL vacuums the table. */
const BLOAT = 2;
/** Default of `usage.eventsPerSecond`, and the retention of events in days. */
const EVENTS = { perSecond: 5, days: 30 };
/** Connections of an instance to PostgreSQL, by default. */
const CONNECTIONS = 10;
/** Default of `max_connections` of PostgreSQL. */
const DEFAULT_MAX_CONNECTIONS = 100;
/** Default of `usage.maxEntries`. */
const MAX_ENTRIES = 50_000;
/** Entries above which a batch takes several statements, so that it is stored alone. */
const ENTRIES_OF_STATEMENT = 1_000;

/** Computes machines, rows, bytes and costs from the load and the measured constants. */
export function planCapacity(inputs: CapacityInputs): CapacityPlan {
  const shares = sharesOf(inputs);
  const instances = instancesOf(inputs, shares);
  const redis = redisOf(inputs, shares);
  const stored = storedOf(inputs, instances.instances.value);
  const postgres = postgresOf(inputs, stored, instances.instances.value);
  const wireBytes = byLimits(inputs.limits, MEASURED.wireBytesOfOneLimit.value, MEASURED.wireBytesOfSixLimits.value);
  const monthOperations = meanRps(inputs) * DAY_S * MONTH_DAYS;
  const networkBytes: Figure = {
    value: monthOperations * wireBytes,
    unit: 'bytes',
    formula: `${n(meanRps(inputs))}/s × ${n(DAY_S * MONTH_DAYS)} s × ${n(wireBytes)} bytes between an instance and Redis, in a month`,
  };
  const { priceCore, priceRedis, priceDiskGb, priceNetworkGb } = inputs;
  const cost: Figure = {
    value:
      instances.instances.value * priceCore +
      redis.redisServers.value * priceRedis +
      postgres.postgresCores.value * priceCore +
      (postgres.diskBytes.value / 1e9) * priceDiskGb +
      (networkBytes.value / 1e9) * priceNetworkGb,
    unit: 'per month',
    formula: [
      `${n(instances.instances.value)} instances × ${n(priceCore)}`,
      `${n(redis.redisServers.value)} Redis servers × ${n(priceRedis)}`,
      `${n(postgres.postgresCores.value)} cores of PostgreSQL × ${n(priceCore)}`,
      `${n(postgres.diskBytes.value / 1e9)} GB of disk × ${n(priceDiskGb)}`,
      `${n(networkBytes.value / 1e9)} GB of traffic × ${n(priceNetworkGb)}`,
    ].join(' + '),
  };
  return {
    figures: { ...instances, ...redis, ...postgres, networkBytes, cost },
    walls: wallsOf(inputs, stored, instances.instances.value),
  };
}

interface Shares {
  /** Share of the load that each region must be able to carry. */
  share: number;
  text: string;
}

/** Each region carries its part of the load of one lost region. */
function sharesOf({ regions }: CapacityInputs): Shares {
  if (regions === 1) return { share: 1, text: '' };
  return { share: 1 / (regions - 1), text: ` / ${regions - 1} regions that are left after the loss of one` };
}

function instancesOf({ rps, regions, cpuUs, usePercent }: CapacityInputs, { share, text }: Shares) {
  const perRegion = Math.max(2, Math.ceil((rps * share * cpuUs) / 1e6 / (usePercent / 100)));
  return {
    instances: figure(
      perRegion * regions,
      'servers',
      `${n(regions)} × (${n(rps)}/s${text} × ${n(cpuUs)} us / ${usePercent} % of a core), at least 2 in a region`,
    ),
  };
}

function redisOf(inputs: CapacityInputs, { share, text }: Shares) {
  const { rps, regions, limits, usePercent, windowHours, copies, redisGb } = inputs;
  const us = byLimits(limits, MEASURED.redisUsOfOneLimit.value, MEASURED.redisUsOfSixLimits.value);
  const counterBytes = byLimits(limits, MEASURED.counterBytesOfOneLimit.value, MEASURED.counterBytesOfSixLimits.value);
  const copyBytes = { keys: MEASURED.keyCopyBytes.value, users: MEASURED.userCopyBytes.value, none: 0 }[copies];
  const traffic = { callers: Math.ceil(inputs.users * share), exponent: inputs.zipf };
  const active = expectedCallers(traffic, meanRps(inputs) * share * windowHours * 3600);
  const ofHour = expectedCallers(traffic, meanRps(inputs) * share * 3600);
  const cores = (rps * share * us) / 1e6;
  const bytes = active * counterBytes + ofHour * copyBytes + PERSISTED_BYTES;
  const byCpu = Math.ceil(cores / (usePercent / 100));
  const byMemory = Math.ceil(bytes / (usePercent / 100) / (redisGb * 1e9));
  const shards = Math.max(byCpu, byMemory);
  return {
    redisCores: figure(
      cores,
      'cores',
      `in a region: ${n(rps)}/s${text} × ${n(us)} us for a charge and a settlement of ${limits} limits`,
    ),
    activeCallers: figure(
      active,
      'callers',
      `in a region: callers of ${windowHours} hours, by a Zipf distribution with exponent ${inputs.zipf}`,
    ),
    redisBytes: figure(
      bytes,
      'bytes',
      `in a region: ${n(active)} callers × ${n(counterBytes)} bytes + ${n(ofHour)} callers of an hour × ${n(copyBytes)} bytes (copies: ${copies}) + 32 MiB`,
    ),
    redisShards: figure(
      shards,
      'servers',
      `in a region: the larger of ${n(cores)} cores / ${usePercent} % = ${n(byCpu)}, and ${gb(bytes)} / ${usePercent} % of ${n(redisGb)} GB = ${n(byMemory)}`,
    ),
    redisServers: figure(
      shards * 2 * regions,
      'servers',
      `${n(shards)} shards × (a primary and a replica) × ${n(regions)} regions`,
    ),
  };
}

interface Stored {
  batchesPerSecond: number;
  entriesOfBatch: number;
  entriesPerSecond: number;
}

/** Computes the batches of usage at the peak. An entry is a caller with one name of an operation. */
function storedOf(inputs: CapacityInputs, instances: number): Stored {
  const operations = (inputs.rps / instances) * (inputs.flushMs / 1000);
  const entriesOfBatch = Math.min(MAX_ENTRIES, pairs(inputs, operations));
  const batchesPerSecond = instances / (inputs.flushMs / 1000);
  return { batchesPerSecond, entriesOfBatch, entriesPerSecond: batchesPerSecond * entriesOfBatch };
}

function postgresOf(inputs: CapacityInputs, stored: Stored, instances: number) {
  const { minutesDays, hoursDays, daysDays, usePercent } = inputs;
  const mean = meanRps(inputs);
  const callers = (seconds: number) => expectedCallers(traffic(inputs), mean * seconds);
  const minute = pairs(inputs, mean * 60) * 1440 * minutesDays;
  const hour = pairs(inputs, mean * 3600) * 24 * hoursDays;
  const day = pairs(inputs, mean * DAY_S) * daysDays;
  const callerHour = callers(3600) * 24 * hoursDays;
  const callerDay = callers(DAY_S) * daysDays;
  const callerWeek = callers(7 * DAY_S) * (daysDays / 7 + 1);
  const events = instances * EVENTS.perSecond * DAY_S * EVENTS.days;
  const tables: [name: string, rows: number, bytes: number][] = [
    [`by minute, ${minutesDays} days`, minute, MEASURED.minuteRowBytes.value],
    [`by hour, ${hoursDays} days`, hour, MEASURED.hourRowBytes.value],
    [`by day, ${daysDays} days`, day, MEASURED.dayRowBytes.value],
    ['callers by hour', callerHour, MEASURED.callerHourRowBytes.value],
    ['callers by day', callerDay, MEASURED.callerDayRowBytes.value],
    ['callers by week', callerWeek, MEASURED.callerWeekRowBytes.value],
    [`events, at most, ${EVENTS.days} days`, events, MEASURED.eventRowBytes.value],
  ];
  const rows = tables.reduce((sum, [, count]) => sum + count, 0);
  const bytes = tables.reduce((sum, [, count, each]) => sum + count * each, 0);
  const cpuUs =
    stored.batchesPerSecond * MEASURED.postgresUsOfBatch.value +
    stored.entriesPerSecond * MEASURED.postgresUsOfEntry.value;
  return {
    usageRows: figure(rows, 'rows', tables.map(([name, count]) => `${n(count)} (${name})`).join(' + ')),
    diskBytes: figure(
      bytes * BLOAT,
      'bytes',
      `${BLOAT} × (${tables.map(([, count, each]) => `${n(count)} × ${n(each)}`).join(' + ')}) bytes, for old versions of rows`,
    ),
    entriesPerSecond: figure(
      stored.entriesPerSecond,
      'per second',
      `${n(instances)} instances × ${n(stored.entriesOfBatch)} callers and operations in ${n(inputs.flushMs)} ms / ${n(inputs.flushMs)} ms`,
    ),
    postgresCores: figure(
      cpuUs / 1e6 / (usePercent / 100),
      'cores',
      `(${n(stored.batchesPerSecond)} batches/s × ${n(MEASURED.postgresUsOfBatch.value)} us + ${n(stored.entriesPerSecond)} entries/s × ${n(MEASURED.postgresUsOfEntry.value)} us) / ${usePercent} %`,
    ),
    postgresConnections: figure(instances * CONNECTIONS, 'connections', `${n(instances)} instances × ${CONNECTIONS}`),
  };
}

function wallsOf({ flushMs }: CapacityInputs, stored: Stored, instances: number): Wall[] {
  const isAlone = stored.entriesOfBatch > ENTRIES_OF_STATEMENT;
  return [
    {
      name: 'batches of usage per second',
      load: stored.batchesPerSecond,
      most: MEASURED.batchesPerSecond.value,
      advice: `raise --flush-ms from ${flushMs} to ${Math.ceil((flushMs * stored.batchesPerSecond) / MEASURED.batchesPerSecond.value / 1000) * 1000}`,
    },
    {
      name: isAlone ? 'entries of usage per second, in batches that are stored alone' : 'entries of usage per second',
      load: stored.entriesPerSecond,
      most: isAlone ? MEASURED.entriesPerSecondAlone.value : MEASURED.entriesPerSecond.value,
      advice: 'record usage on fewer instances (TOLLGATE_USAGE=false on the others), or on a faster PostgreSQL',
    },
    {
      name: 'connections to PostgreSQL',
      load: instances * CONNECTIONS,
      most: DEFAULT_MAX_CONNECTIONS,
      advice: 'put PgBouncer in front, raise max_connections, or lower TOLLGATE_POSTGRES_CONNECTIONS',
    },
  ];
}

/** Returns the expected number of combinations of a caller and a name of an operation. */
function pairs(inputs: CapacityInputs, operations: number): number {
  return inputs.operations * expectedCallers(traffic(inputs), operations / inputs.operations);
}

const traffic = ({ users, zipf }: CapacityInputs) => ({ callers: users, exponent: zipf });
const meanRps = ({ rps, meanPercent }: CapacityInputs) => (rps * meanPercent) / 100;

/** Interpolates between the constants of one limit and of six limits. */
function byLimits(limits: number, ofOne: number, ofSix: number): number {
  return ofOne + ((limits - 1) * (ofSix - ofOne)) / 5;
}

function figure(value: number, unit: Figure['unit'], formula: string): Figure {
  return { value, unit, formula };
}

const gb = (bytes: number) => `${n(bytes / 1e9)} GB`;

/** Formats a number with at least three significant digits and thousands separators. */
export function n(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
