import {
  MAX_AHEAD_MS,
  MAX_COST,
  MAX_COUNT,
  MAX_DELAY_MS,
  MAX_ENTRIES,
  MAX_FILL_MS,
  MAX_HOLDS_KEPT_MS,
  MAX_INSTANCES,
  MAX_LIMITS,
  MAX_UNITS,
  MIN_SLOT_WAIT_MS,
  STRICT_PARTS,
} from '../../model/limit-parameters.js';
import { SHAPE } from '../algorithms/limit-algorithm.js';

// How requests and partitions look in bytes, once for both sides: the writers of requests are made from these tables, and the
// loader of the scripts puts the same numbers and formats into their text. All little-endian.

/** Each type with its format in Lua's struct, and its bytes. Ids are six bytes: one per character here. */
const TYPES = {
  u8: ['B', 1],
  u16: ['H', 2],
  u32: ['I4', 4],
  u40: ['I5', 5],
  u48: ['I6', 6],
  u56: ['I7', 7],
  /** An id that Lua compares as a number. */
  id: ['I6', 6],
  /** An id that Lua keeps as text. */
  text: ['c6', 6],
} as const;
type FieldType = keyof typeof TYPES;

type Fields = Readonly<Record<string, FieldType>>;

interface Layout<Names extends string = string> {
  readonly fields: readonly (readonly [name: Names, type: FieldType])[];
  readonly bytes: number;
}

function layout<const Table extends Fields>(table: Table): Layout<keyof Table & string> {
  const fields = Object.entries(table) as [keyof Table & string, FieldType][];
  return { fields, bytes: fields.reduce((sum, [, type]) => sum + TYPES[type][1], 0) };
}

/** One limit of a request. `first` is the refill amount of a bucket, and the window of all others; `second` the refill period. */
export const DEFINITION = layout({
  shape: 'u8',
  leaky: 'u8',
  hasSlots: 'u8',
  shadow: 'u8',
  countDenied: 'u8',
  id: 'id',
  capacity: 'u56',
  first: 'u40',
  second: 'u40',
  maxDebt: 'u56',
  maxDelayMs: 'u40',
});

/** What all charges of a request have of a kind stands together: the script reads all of it with one call. */
export const CHARGE_COUNT = layout({ limits: 'u8' });
export const CHARGE_PENDING = layout({ pendingMs: 'u32' });
export const CHARGED_LIMIT = layout({ counter: 'u16', cost: 'u32' });
export const CHARGE_ID = layout({ chargeId: 'text' });

/** One correction, one pending charge that ends, or one counter that is emptied. */
export const SETTLEMENT = layout({
  action: 'u8',
  counter: 'u16',
  charged: 'u32',
  actual: 'u32',
  stamp: 'u48',
  chargeId: 'text',
});

/** What settle.lua does with a charge, or with a counter. */
export const ACTION = { CORRECT: 0, CONFIRM: 1, CANCEL: 2, RESET: 3, CONFIRM_AGAIN: 4 } as const;

/** How a partition starts. */
const HEADER = layout({ version: 'u8', seenAt: 'u48', expiresAt: 'u32', sweepAt: 'u32' });
/** A list that knows a mean hold time says so by its version: logs, and lists without one, do not grow. */
const VERSION = { RECORDS: 1, LIST: 2, HELD_LIST: 3, PENDING: 129 } as const;

/** What a record starts with; its window, or the refill amount of a bucket, comes next whatever its kind. */
const RECORD = { kind: 'u8', id: 'id', emptyAt: 'u48' } as const;
/** The kinds of records: those of counters are the shapes. */
const KIND = { ...SHAPE, BUCKET_IN_DEBT: 6, PENDING: 7 } as const;
const BUCKET = { ...RECORD, amount: 'u40', period: 'u40', taken: 'u56' } as const;
const FIXED = { ...RECORD, window: 'u40', count: 'u40' } as const;
const SLIDING = { ...RECORD, window: 'u40', current: 'u40', previous: 'u40' } as const;
const STRICT_HEAD = { ...RECORD, window: 'u40' } as const;
const PARTS: Fields = Object.fromEntries(Array.from({ length: STRICT_PARTS + 1 }, (_, i) => [`part${i}`, 'u40']));

/** Every kind of record, whole. A list has a value of its own instead. */
const RECORDS: Readonly<Record<Exclude<keyof typeof KIND, 'LIST'>, Layout>> = {
  BUCKET: layout(BUCKET),
  BUCKET_IN_DEBT: layout({ ...BUCKET, debt: 'u56' }),
  FIXED: layout(FIXED),
  SLIDING: layout(SLIDING),
  STRICT: layout({ ...STRICT_HEAD, ...PARTS }),
  PENDING: layout({ kind: 'u8', chargeId: 'text', deadline: 'u48', id: 'id', cost: 'u40', stamp: 'u48' }),
};

/** The layouts that the scripts know, by their names there. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  DEFINITION,
  CHARGE_COUNT,
  CHARGE_PENDING,
  CHARGED_LIMIT,
  CHARGE_ID,
  SETTLEMENT,
  HEADER,
  RECORD: layout(RECORD),
  ...RECORDS,
  /** What follows the head of a bucket; of a window, its length and something more. */
  RATE: layout({ amount: 'u40', period: 'u40' }),
  STRICT_HEAD: layout(STRICT_HEAD),
  PARTS: layout(PARTS),
  LIST_HEADER: layout({ version: 'u8', seenAt: 'u48', expiresAt: 'u32', sum: 'u48' }),
  /** What follows the header of a held list. */
  HOLDS: layout({ meanMs: 'u40' }),
  ENTRY: layout({ endsAt: 'u48', cost: 'u40', chargeId: 'text' }),
};

/** Numbers that the scripts know by these names. */
const CONSTANTS: Readonly<Record<string, number>> = {
  MAX_AHEAD_MS,
  MAX_COST,
  MAX_COUNT,
  MAX_DELAY_MS,
  MAX_ENTRIES,
  MAX_FILL_MS,
  MAX_HOLDS_KEPT_MS,
  MAX_INSTANCES,
  MAX_LIMITS,
  MAX_UNITS,
  MIN_SLOT_WAIT_MS,
  STRICT_PARTS,
  /** Times that a request may say. */
  MAX_TIME: 2 ** 47,
  /** Four bytes of seconds. */
  MAX_SECONDS: 2 ** 32 - 1,
};

/**
 * What the names in the scripts stand for, as Lua text. Of a layout `BUCKET`: `BUCKET.FORMAT`, `BUCKET.FIELDS` (the format
 * without the byte order, to be joined with others), `BUCKET.BYTES`, `BUCKET.SIZE` (how many fields) and, for each field, where
 * it stands among what the format reads, counted from zero: `BUCKET.EMPTY_AT`; and for one field alone `BUCKET.BYTE_OF_EMPTY_AT`,
 * from the start of the record, with `BUCKET.FORMAT_OF_EMPTY_AT`. Literals, because a local costs what captures it.
 */
export const LUA_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LAYOUTS).flatMap(([name, { fields, bytes }]) => {
    const format = fields.map(([, type]) => TYPES[type][0]).join('');
    let start = 0;
    return [
      [`${name}.FORMAT`, `'<${format}'`],
      [`${name}.FIELDS`, `'${format}'`],
      [`${name}.BYTES`, String(bytes)],
      [`${name}.SIZE`, String(fields.length)],
      ...fields.flatMap(([field, type], index) => {
        const named = [
          [`${name}.${upperCase(field)}`, String(index)],
          [`${name}.BYTE_OF_${upperCase(field)}`, String(start)],
          [`${name}.FORMAT_OF_${upperCase(field)}`, `'<${TYPES[type][0]}'`],
        ];
        start += TYPES[type][1];
        return named;
      }),
    ] as [string, string][];
  }),
  ...named('KIND', KIND),
  // A table: the bytes of a record by its kind.
  [
    'KINDS.BYTES',
    `{ ${Object.entries(RECORDS)
      .map(([name, { bytes }]) => `[${KIND[name as keyof typeof RECORDS]}] = ${bytes}`)
      .join(', ')} }`,
  ],
  ['KINDS.LAST_SHAPE', String(Math.max(...Object.values(SHAPE)))],
  ...named('VERSION', VERSION),
  ...named('ACTION', ACTION),
  ...Object.entries(CONSTANTS).map(([name, value]): [string, string] => [name, String(value)]),
]);

function named(group: string, values: Readonly<Record<string, number>>): [string, string][] {
  return Object.entries(values).map(([name, value]) => [`${group}.${name}`, String(value)]);
}

function upperCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/**
 * Writes one thing of a layout, and returns where the next one starts. The values stand in the order of the layout, so that V8 finds
 * them by their places: to find them by names that change takes several times as long.
 */
export function writerOf<Names extends string>({ fields }: Layout<Names>) {
  const steps = fields.map(([name, type]) => ({ name, type, size: TYPES[type][1] }));
  return (buffer: Buffer, start: number, values: { readonly [Name in Names]: number | string }): number => {
    let at = start;
    let step = 0;
    for (const given in values) {
      const { name, type, size } = steps[step++]!;
      if (given !== name) throw new TypeError(`layout: expected ${name}, got ${given}`);
      const value: number | string = values[given];
      if (typeof value === 'string') writeBytes(buffer, at, value);
      else if (size === 1) buffer[at] = value;
      else if (type === 'u56') {
        // Node writes at most six bytes of an integer at once.
        buffer.writeUInt32LE(value % 2 ** 32, at);
        buffer.writeUIntLE(Math.floor(value / 2 ** 32), at + 4, 3);
      } else buffer.writeUIntLE(value, at, size);
      at += size;
    }
    return at;
  };
}

/** Writes a text of which each character is a byte. For so few, `buffer.write` takes several times as long. */
export function writeBytes(buffer: Buffer, start: number, text: string): void {
  for (let i = 0; i < text.length; i++) buffer[start + i] = text.charCodeAt(i);
}
