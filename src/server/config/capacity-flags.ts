import type { CapacityInputs } from '../../capacity/capacity-inputs.js';
import { MEASURED } from '../../capacity/measured.js';
import { DEFAULT_EXCHANGE_MS } from '../../model/region-mode.js';
import type { Flag } from './read-command-line.js';

/** Declaration of a numeric input. A value may end in k, M or G (thousands, millions, billions). */
export interface NumberFlag {
  readonly input: NumericInput;
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
  /** @default none: the flag is required */
  readonly default?: number;
  readonly description: string;
}

type NumericInput = {
  [Name in keyof CapacityInputs]: CapacityInputs[Name] extends number ? Name : never;
}[keyof CapacityInputs];

const whole = (least: number, most: number) => ({ least, most, isWhole: true });
const from = (least: number, most: number) => ({ least, most, isWhole: false });

/** Numeric inputs by flag. The flags, their checks and the help are derived from this table. */
export const NUMBER_FLAGS = {
  users: { input: 'users', ...whole(1, 1e9), description: 'users, such as 10M; required' },
  rps: { input: 'rps', ...whole(1, 1e8), description: 'operations per second at the peak, such as 100k; required' },
  limits: { input: 'limits', ...whole(1, 64), default: 6, description: 'limits that apply to one operation' },
  regions: {
    input: 'regions',
    ...whole(1, 20),
    default: 1,
    description: 'regions; all together carry the loss of one',
  },
  'exchange-ms': {
    input: 'exchangeMs',
    ...whole(200, 60_000),
    default: DEFAULT_EXCHANGE_MS,
    description: 'interval of the exchange between regions, in milliseconds',
  },
  operations: {
    input: 'operations',
    ...whole(1, 1000),
    default: 3,
    description: 'different names of operations that a caller sends',
  },
  'mean-percent': {
    input: 'meanPercent',
    ...whole(1, 100),
    default: 50,
    description: 'mean of the operations per second over a day, in per cent of the peak',
  },
  zipf: {
    input: 'zipf',
    ...from(0, 3),
    default: 1,
    description: 'exponent of the Zipf distribution of operations over users; 0: all send the same number',
  },
  'window-hours': {
    input: 'windowHours',
    ...whole(1, 9000),
    default: 24,
    description: 'longest window of a limit, in hours',
  },
  'cpu-us': {
    input: 'cpuUs',
    ...whole(1, 1e7),
    default: Math.round(MEASURED.serverUsOfOperation.value),
    description:
      'processor time of an instance for one operation, in microseconds, with the API itself; the default is measured with the sample API',
  },
  'use-percent': {
    input: 'usePercent',
    ...whole(1, 100),
    default: 50,
    description: 'highest use of a core, and of the memory of Redis, in per cent',
  },
  'flush-ms': {
    input: 'flushMs',
    ...whole(1, 600_000),
    default: 1000,
    description: 'interval in which an instance stores usage, in milliseconds (TOLLGATE_USAGE_FLUSH_MS)',
  },
  'min-caller-operations': {
    input: 'minCallerOperations',
    ...whole(1, 1_000_000),
    default: 1,
    description:
      'operations in that interval with which an instance counts a caller separately (TOLLGATE_USAGE_MIN_CALLER_OPERATIONS)',
  },
  'minutes-days': {
    input: 'minutesDays',
    ...whole(1, 3650),
    default: 3,
    description: 'retention of usage by minute, in days',
  },
  'hours-days': {
    input: 'hoursDays',
    ...whole(1, 3650),
    default: 35,
    description: 'retention of usage by hour, in days',
  },
  'days-days': {
    input: 'daysDays',
    ...whole(1, 3650),
    default: 400,
    description: 'retention of usage by day, in days',
  },
  'redis-gb': {
    input: 'redisGb',
    ...whole(1, 4096),
    default: 16,
    description: 'memory of one Redis server, in gigabytes',
  },
  'price-core': {
    input: 'priceCore',
    ...from(0, 1e6),
    default: 30,
    description: 'price of a core of an instance or of PostgreSQL for a month, in any currency',
  },
  'price-redis': {
    input: 'priceRedis',
    ...from(0, 1e6),
    default: 150,
    description: 'price of a Redis server for a month',
  },
  'price-disk-gb': {
    input: 'priceDiskGb',
    ...from(0, 1e6),
    default: 0.12,
    description: 'price of a gigabyte of disk for a month',
  },
  'price-network-gb': {
    input: 'priceNetworkGb',
    ...from(0, 1e6),
    default: 0.01,
    description: 'price of a gigabyte of traffic between an instance and Redis',
  },
} as const satisfies Readonly<Record<string, NumberFlag>>;

export const COPIES = ['keys', 'users', 'none'] as const;

type NumberFlags = Readonly<Record<keyof typeof NUMBER_FLAGS, Flag & { value: 'N' }>>;

export const CAPACITY_FLAGS = {
  ...(Object.fromEntries(
    Object.entries(NUMBER_FLAGS).map(([name, one]) => [
      name,
      {
        value: 'N',
        description: 'default' in one ? `${one.description} (default ${one.default})` : one.description,
      },
    ]),
  ) as unknown as NumberFlags),
  copies: {
    value: 'KIND',
    description: `copies of callers in Redis: ${COPIES.join(', ')} (default keys: callers send API keys; users: callers are named by tokens or identify)`,
  },
  json: { description: 'print { inputs, measuredOn, figures, walls } as JSON' },
} as const;
