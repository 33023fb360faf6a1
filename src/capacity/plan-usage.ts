import type { CapacityInputs } from './capacity-inputs.js';
import { countedShare, expectedRows } from './expected-rows.js';
import { figure } from './figure.js';
import { MEASURED } from './measured.js';
import { numberText as n } from './number-text.js';

/** A bound of one PostgreSQL, and the load that the plan puts on it. */
interface Wall {
  name: string;
  load: number;
  most: number;
  /** Change that helps if the load exceeds the bound. */
  advice: string;
}

/** The load of recorded usage with other settings. */
interface Alternative {
  flushMs: number;
  minCallerOperations: number;
  /** Operations that are counted by caller, in per cent. The others count together. */
  byCallerPercent: number;
  entriesPerSecond: number;
  rows: number;
  diskBytes: number;
}

const DAY_S = 86_400;
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
/** Settings whose effect the plan shows. */
const ALTERNATIVES = [
  { flushMs: 1_000, minCallerOperations: 1 },
  { flushMs: 10_000, minCallerOperations: 1 },
  { flushMs: 60_000, minCallerOperations: 1 },
  { flushMs: 60_000, minCallerOperations: 3 },
  { flushMs: 60_000, minCallerOperations: 10 },
  { flushMs: 60_000, minCallerOperations: 30 },
] as const;

/** Computes rows, disk and processor time of PostgreSQL for the usage that instances record. */
export function planUsage(inputs: CapacityInputs, instances: number) {
  const stored = storedOf(inputs, instances);
  const tables = tablesOf(inputs, instances);
  return {
    figures: postgresOf(inputs, { stored, tables, instances }),
    walls: wallsOf(inputs, stored, instances),
    alternatives: ALTERNATIVES.map((settings): Alternative => {
      const other = { ...inputs, ...settings };
      const rows = tablesOf(other, instances);
      return {
        ...settings,
        byCallerPercent: 100 * countedShare(trafficOf(inputs), batchOf(other, instances)),
        entriesPerSecond: storedOf(other, instances).entriesPerSecond,
        rows: rows.reduce((sum, { count }) => sum + count, 0),
        diskBytes: diskOf(rows),
      };
    }),
  };
}

interface Stored {
  batchesPerSecond: number;
  entriesOfBatch: number;
  entriesPerSecond: number;
}

/** Computes the batches of usage at the peak. An entry is a caller with one name of an operation. */
function storedOf(inputs: CapacityInputs, instances: number): Stored {
  const flushS = inputs.flushMs / 1000;
  const rows = expectedRows({ ...trafficOf(inputs), names: inputs.operations }, batchOf(inputs, instances));
  // The callers who are counted together have one entry for each name of an operation.
  const others = inputs.minCallerOperations > 1 ? inputs.operations : 0;
  const entriesOfBatch = Math.min(MAX_ENTRIES, rows + others);
  const batchesPerSecond = instances / flushS;
  return { batchesPerSecond, entriesOfBatch, entriesPerSecond: batchesPerSecond * entriesOfBatch };
}

const trafficOf = ({ users, zipf }: CapacityInputs) => ({ callers: users, exponent: zipf });

/** Returns a batch of one instance at the peak. */
function batchOf({ rps, flushMs, minCallerOperations }: CapacityInputs, instances: number) {
  return { operations: (rps / instances) * (flushMs / 1000), atLeast: minCallerOperations };
}

interface Table {
  name: string;
  count: number;
  rowBytes: number;
}

/** Computes the rows of each table that grows with the callers, at the end of its retention. */
function tablesOf(inputs: CapacityInputs, instances: number): Table[] {
  const { minutesDays, hoursDays, daysDays, minCallerOperations } = inputs;
  const flushS = inputs.flushMs / 1000;
  const operations = ((inputs.rps * inputs.meanPercent) / 100 / instances) * flushS;
  const rows = (seconds: number, names: number) =>
    expectedRows(
      { callers: inputs.users, exponent: inputs.zipf, names },
      { operations, batches: (instances * seconds) / flushS, atLeast: minCallerOperations },
    );
  const pairs = (seconds: number) => rows(seconds, inputs.operations);
  const callers = (seconds: number) => rows(seconds, 1);
  return [
    {
      name: `by minute, ${minutesDays} days`,
      count: pairs(60) * 1440 * minutesDays,
      rowBytes: MEASURED.minuteRowBytes.value,
    },
    { name: `by hour, ${hoursDays} days`, count: pairs(3600) * 24 * hoursDays, rowBytes: MEASURED.hourRowBytes.value },
    { name: `by day, ${daysDays} days`, count: pairs(DAY_S) * daysDays, rowBytes: MEASURED.dayRowBytes.value },
    { name: 'callers by hour', count: callers(3600) * 24 * hoursDays, rowBytes: MEASURED.callerHourRowBytes.value },
    { name: 'callers by day', count: callers(DAY_S) * daysDays, rowBytes: MEASURED.callerDayRowBytes.value },
    {
      name: 'callers by week',
      count: callers(7 * DAY_S) * (daysDays / 7 + 1),
      rowBytes: MEASURED.callerWeekRowBytes.value,
    },
    {
      name: `events, at most, ${EVENTS.days} days`,
      count: instances * EVENTS.perSecond * DAY_S * EVENTS.days,
      rowBytes: MEASURED.eventRowBytes.value,
    },
  ];
}

function diskOf(tables: readonly Table[]): number {
  return BLOAT * tables.reduce((sum, { count, rowBytes }) => sum + count * rowBytes, 0);
}

function postgresOf(
  { usePercent, flushMs }: CapacityInputs,
  { stored, tables, instances }: { stored: Stored; tables: readonly Table[]; instances: number },
) {
  const { batchesPerSecond, entriesOfBatch, entriesPerSecond } = stored;
  const cpuUs =
    batchesPerSecond * MEASURED.postgresUsOfBatch.value + entriesPerSecond * MEASURED.postgresUsOfEntry.value;
  return {
    usageRows: figure(
      tables.reduce((sum, { count }) => sum + count, 0),
      'rows',
      tables.map(({ name, count }) => `${n(count)} (${name})`).join(' + '),
    ),
    diskBytes: figure(
      diskOf(tables),
      'bytes',
      `${BLOAT} × (${tables.map(({ count, rowBytes }) => `${n(count)} × ${n(rowBytes)}`).join(' + ')}) bytes, for old versions of rows`,
    ),
    entriesPerSecond: figure(
      entriesPerSecond,
      'per second',
      `${n(instances)} instances × ${n(entriesOfBatch)} callers and operations in ${n(flushMs)} ms / ${n(flushMs)} ms`,
    ),
    postgresCores: figure(
      cpuUs / 1e6 / (usePercent / 100),
      'cores',
      `(${n(batchesPerSecond)} batches/s × ${n(MEASURED.postgresUsOfBatch.value)} us + ${n(entriesPerSecond)} entries/s × ${n(MEASURED.postgresUsOfEntry.value)} us) / ${usePercent} %`,
    ),
    postgresConnections: figure(instances * CONNECTIONS, 'connections', `${n(instances)} instances × ${CONNECTIONS}`),
  };
}

function wallsOf({ flushMs }: CapacityInputs, stored: Stored, instances: number): Wall[] {
  const isAlone = stored.entriesOfBatch > ENTRIES_OF_STATEMENT;
  const { batchesPerSecond, entriesPerSecond } = stored;
  return [
    {
      name: 'batches of usage per second',
      load: batchesPerSecond,
      most: MEASURED.batchesPerSecond.value,
      advice: `raise TOLLGATE_USAGE_FLUSH_MS from ${flushMs} to ${Math.ceil((flushMs * batchesPerSecond) / MEASURED.batchesPerSecond.value / 1000) * 1000}`,
    },
    {
      name: isAlone ? 'entries of usage per second, in batches that are stored alone' : 'entries of usage per second',
      load: entriesPerSecond,
      most: isAlone ? MEASURED.entriesPerSecondAlone.value : MEASURED.entriesPerSecond.value,
      advice:
        'raise TOLLGATE_USAGE_MIN_CALLER_OPERATIONS and TOLLGATE_USAGE_FLUSH_MS (see the table), or use a faster PostgreSQL',
    },
    {
      name: 'connections to PostgreSQL',
      load: instances * CONNECTIONS,
      most: DEFAULT_MAX_CONNECTIONS,
      advice: 'put PgBouncer in front, raise max_connections, or lower TOLLGATE_POSTGRES_CONNECTIONS',
    },
  ];
}
