import type { Figure } from '../../../capacity/figure.js';
import { MEASURED_ON } from '../../../capacity/measured.js';
import { numberText as n } from '../../../capacity/number-text.js';
import type { CapacityPlan } from '../../../capacity/plan-capacity.js';

const LABELS: Readonly<Record<keyof CapacityPlan['figures'], string>> = {
  instances: 'instances',
  redisCores: 'Redis, cores in use',
  activeCallers: 'Redis, active callers',
  redisBytes: 'Redis, memory',
  redisShards: 'Redis, shards',
  redisServers: 'Redis, servers',
  usageRows: 'PostgreSQL, rows',
  diskBytes: 'PostgreSQL, disk',
  entriesPerSecond: 'PostgreSQL, entries stored',
  postgresCores: 'PostgreSQL, cores',
  postgresConnections: 'PostgreSQL, connections',
  networkBytes: 'network',
  watchedExcess: 'WATCH, above the limit',
  cost: 'cost',
};

const COLUMNS = ['  flush ms', 'operations', 'by caller', 'entries/s', '               rows', '      disk'];

/** Returns the text of a plan: each figure with its formula, and the bounds that it exceeds. */
export function printPlan({ figures, walls, alternatives }: CapacityPlan): string {
  const lines = Object.entries(LABELS).flatMap(([name, label]) => {
    const figure = figures[name as keyof typeof LABELS];
    return [`${label.padEnd(28)} ${shown(figure)}`, `  = ${figure.formula}`];
  });
  const bounds = walls.map(({ name, load, most, advice }) => {
    const part = `${n(load)} of at most ${n(most)} (${n((load / most) * 100)} %)`;
    return load > most ? `TOO MUCH  ${name}: ${part}\n          ${advice}` : `ok        ${name}: ${part}`;
  });
  const settings = alternatives.map((one) =>
    [
      n(one.flushMs),
      n(one.minCallerOperations),
      `${n(one.byCallerPercent)} %`,
      n(one.entriesPerSecond),
      n(one.rows),
      bytesText(one.diskBytes),
    ]
      .map((cell, column) => cell.padStart(COLUMNS[column]!.length))
      .join('  '),
  );
  return [
    ...lines,
    '',
    'Bounds of one PostgreSQL like the measured one:',
    ...bounds,
    '',
    'With other settings of usage (TOLLGATE_USAGE_FLUSH_MS, TOLLGATE_USAGE_MIN_CALLER_OPERATIONS):',
    COLUMNS.join('  '),
    ...settings,
    '',
    `Constants: measured on ${MEASURED_ON.date}, ${MEASURED_ON.machine} (npm run bench -- capacity)`,
    'Prices: set them with --price-...; the defaults are examples',
    '',
  ].join('\n');
}

function shown({ value, unit }: Figure): string {
  switch (unit) {
    case 'bytes':
      return bytesText(value);
    case 'servers':
    case 'per month':
      return `${n(Math.ceil(value))} ${unit === 'servers' ? '' : unit}`.trimEnd();
    default:
      return `${n(value)} ${unit}`;
  }
}

function bytesText(bytes: number): string {
  return bytes >= 1e12 ? `${n(bytes / 1e12)} TB` : `${n(bytes / 1e9)} GB`;
}
