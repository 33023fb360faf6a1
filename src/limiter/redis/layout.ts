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

// Byte layout of requests and partitions, defined once for both sides. The writers of requests are
// built from these tables, and the loader of the scripts inserts the same numbers and formats into
// their text. All values are little-endian.

/**
 * Types of fields, each with its format in Lua's struct and its size in bytes. Ids are six bytes,
 * one per character here.
 */
const TYPES = {
  u8: ['B', 1],
  u16: ['H', 2],
  u32: ['I4', 4],
  u40: ['I5', 5],
  u48: ['I6', 6],
  u56: ['I7', 7],
  /** Id that Lua compares as a number. */
  id: ['I6', 6],
  /** Id that Lua keeps as text. */
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

/**
 * One limit of a request. `first` is the refill amount of a bucket and the window of all others;
 * `second` is the refill period. A calendar window has the lengths of three successive periods in
 * `first`, `second` and `maxDelayMs`; the first of them starts at `maxDebt`. If its `hasSlots` is 1,
 * another definition follows it, with other meanings of four fields. `capacity` is the included
 * amount, `first` the percentage that is carried over, and `maxDebt` the largest carried amount.
 * `maxDelayMs` is the time for which the counter is kept after a period.
 */
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

/**
 * Fields of the charges of a request, grouped by kind: the script reads each group with one call.
 */
export const CHARGE_COUNT = layout({ limits: 'u8' });
export const CHARGE_PENDING = layout({ pendingMs: 'u32' });
export const CHARGED_LIMIT = layout({ counter: 'u16', cost: 'u32' });
export const CHARGE_ID = layout({ chargeId: 'text' });

/** One correction, one pending charge that ends, or one counter that is reset. */
export const SETTLEMENT = layout({
  action: 'u8',
  counter: 'u16',
  charged: 'u32',
  actual: 'u32',
  stamp: 'u48',
  chargeId: 'text',
});

/** Actions of a settlement on a charge or a counter. */
export const ACTION = { CORRECT: 0, CONFIRM: 1, CANCEL: 2, RESET: 3, CONFIRM_AGAIN: 4 } as const;

/** Header of a partition. */
const HEADER = layout({ version: 'u8', seenAt: 'u48', expiresAt: 'u32', sweepAt: 'u32' });
/**
 * Versions of a stored value. A list with a mean hold time has its own version, so that logs and
 * lists without one do not grow.
 */
const VERSION = { RECORDS: 1, LIST: 2, HELD_LIST: 3, PENDING: 129 } as const;

/**
 * First fields of every counter record. The window, or the refill amount of a bucket, always
 * follows.
 */
const RECORD = { kind: 'u8', id: 'id', emptyAt: 'u48' } as const;
/** Kinds of records. The kind of a counter's record is its shape. */
const KIND = { ...SHAPE, BUCKET_IN_DEBT: 6, PENDING: 7 } as const;
const BUCKET = { ...RECORD, amount: 'u40', period: 'u40', taken: 'u56' } as const;
const FIXED = { ...RECORD, window: 'u40', count: 'u40' } as const;
const SLIDING = { ...RECORD, window: 'u40', current: 'u40', previous: 'u40' } as const;
const STRICT_HEAD = { ...RECORD, window: 'u40' } as const;
const PARTS: Fields = Object.fromEntries(Array.from({ length: STRICT_PARTS + 1 }, (_, i) => [`part${i}`, 'u40']));

/**
 * Complete layout of every kind of record. A list has no record, because it is a separate value.
 */
const RECORDS: Readonly<Record<Exclude<keyof typeof KIND, 'LIST'>, Layout>> = {
  BUCKET: layout(BUCKET),
  BUCKET_IN_DEBT: layout({ ...BUCKET, debt: 'u56' }),
  FIXED: layout(FIXED),
  SLIDING: layout(SLIDING),
  STRICT: layout({ ...STRICT_HEAD, ...PARTS }),
  PENDING: layout({ kind: 'u8', chargeId: 'text', deadline: 'u48', id: 'id', cost: 'u40', stamp: 'u48' }),
};

/** Layouts that the scripts use, by their names in Lua. */
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
  /**
   * Fields after the head of a bucket. In the record of a window, the first field is its length and
   * the second field is a count.
   */
  RATE: layout({ amount: 'u40', period: 'u40' }),
  STRICT_HEAD: layout(STRICT_HEAD),
  PARTS: layout(PARTS),
  LIST_HEADER: layout({ version: 'u8', seenAt: 'u48', expiresAt: 'u32', sum: 'u48' }),
  /** Fields after the header of a list with a mean hold time. */
  HOLDS: layout({ meanMs: 'u40' }),
  ENTRY: layout({ endsAt: 'u48', cost: 'u40', chargeId: 'text' }),
};

/**
 * Number that is added to the length of a calendar window in a record of kind `FIXED`. The record
 * has the layout of a fixed window, because an older instance discards partitions with unknown kinds
 * of records. Only a fixed window of 30 years or more has such a length. It ends at a multiple of
 * its length, which distinguishes it from a calendar window.
 */
const CALENDAR_MARK = 2 ** 40 - 2 ** 37;

/** Numbers that the scripts use by these names. */
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
  CALENDAR_MARK,
  /** Maximum time in a request. */
  MAX_TIME: 2 ** 47,
  /** Maximum number of seconds that fits into four bytes. */
  MAX_SECONDS: 2 ** 32 - 1,
};

/**
 * Lua text for each name in the scripts. A layout `BUCKET` has these names:
 *
 * - `BUCKET.FORMAT`: its format
 * - `BUCKET.FIELDS`: the format without the byte order, to be joined with others
 * - `BUCKET.BYTES`: its size in bytes
 * - `BUCKET.SIZE`: its number of fields
 * - `BUCKET.EMPTY_AT`: for each field, its index among the values that the format reads, from zero
 * - `BUCKET.BYTE_OF_EMPTY_AT` and `BUCKET.FORMAT_OF_EMPTY_AT`: for one field alone, its offset in
 *   the record and its format
 *
 * The names become literals, because a Lua local costs time in each function that captures it.
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
  // A Lua table: the size in bytes of a record by its kind.
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
 * Returns a writer of one value of a layout; the writer returns the offset after it. The values are
 * in the order of the layout so that V8 finds them by position: reading them by variable names
 * takes several times as long.
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
        // Node writes at most six bytes of an integer per call.
        buffer.writeUInt32LE(value % 2 ** 32, at);
        buffer.writeUIntLE(Math.floor(value / 2 ** 32), at + 4, 3);
      } else buffer.writeUIntLE(value, at, size);
      at += size;
    }
    return at;
  };
}

/**
 * Writes a text whose characters are bytes. For such short texts `buffer.write` takes several times
 * as long.
 */
export function writeBytes(buffer: Buffer, start: number, text: string): void {
  for (let i = 0; i < text.length; i++) buffer[start + i] = text.charCodeAt(i);
}
