import { z } from 'zod';
import { show } from '../../model/describe-problems.js';
import { isCalendarDate } from '../../options/is-calendar-date.js';
import { isWholeNumber } from '../../options/is-whole-number.js';
import { didYouMean } from '../../options/nearest-name.js';

/**
 * Checks of single values. Each message contains the expected and the given value. A mistake aborts
 * the check of the surrounding object (`abort`). So checks over several members run only if each
 * member is valid.
 */

export function wholeNumber(min: number, max: number) {
  const fits = (value: unknown) => isWholeNumber(value, min, max);
  const shape = { type: 'integer', minimum: min, maximum: max };
  return z.custom<number>(fits, expected(`a whole number from ${min} to ${max}`)).meta(shape);
}

export function wholeNumberOrNull(min: number, max: number) {
  const fits = (value: unknown) => value === null || isWholeNumber(value, min, max);
  const shape = { type: ['integer', 'null'], minimum: min, maximum: max };
  return z.custom<number | null>(fits, expected(`a whole number from ${min} to ${max}, or null`)).meta(shape);
}

export function number(min: number, max: number) {
  const fits = (value: unknown) => typeof value === 'number' && value >= min && value <= max;
  return z
    .custom<number>(fits, expected(`a number from ${min} to ${max}`))
    .meta({ type: 'number', minimum: min, maximum: max });
}

export function text(minLength: number, maxLength: number) {
  const fits = (value: unknown) =>
    typeof value === 'string' && isStorable(value) && [...value].length >= minLength && [...value].length <= maxLength;
  return z
    .custom<string>(fits, expected(`a string of ${minLength} to ${maxLength} characters`))
    .meta({ type: 'string', minLength, maxLength });
}

export function matching(pattern: RegExp, description: string) {
  return satisfying((value) => pattern.test(value), description).meta({ pattern: pattern.source });
}

export function satisfying(test: (value: string) => boolean, description: string) {
  return z
    .custom<string>((value) => typeof value === 'string' && test(value), expected(description))
    .meta({ type: 'string', description: `Expected ${description}.` });
}

export function oneOf<const Value extends string>(values: readonly Value[]) {
  const fits = (value: unknown) => (values as readonly unknown[]).includes(value);
  const { error: reject, abort } = expected(`one of ${values.join(', ')}`);
  const error = ({ input }: { input?: unknown }) =>
    reject({ input }) + (typeof input === 'string' ? didYouMean(input, values) : '');
  return z.custom<Value>(fits, { error, abort }).meta({ enum: [...values] });
}

/**
 * Returns a schema for an object with exactly these members. For an unknown member, the message
 * suggests the most similar known one.
 */
export function membersOf<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => `Unrecognized key: "${key}"${didYouMean(key, known)}`).join(', ')
        : undefined,
  });
}

export function flag() {
  return z.custom<boolean>((value) => typeof value === 'boolean', expected('true or false')).meta({ type: 'boolean' });
}

/**
 * Returns a schema for a flag that is either true or absent.
 * @param otherwise text for the message: how to express the opposite, because false is invalid
 */
export function onlyTrue(otherwise: string) {
  return z
    .custom<true>((value) => value === true, expected(`true, or ${otherwise}`))
    .meta({ type: 'boolean', const: true });
}

const TIME = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** Years that PostgreSQL and ISO 8601 write with four digits. */
const MIN_YEAR = 1000;
const MAX_YEAR = 9999;

/** Returns a schema for a time: text with an offset from UTC, or a `Date`. It returns ISO text. */
export function instant() {
  const fits = (value: unknown) => {
    if (typeof value === 'string' && (!TIME.test(value) || !isCalendarDate(value.slice(0, 10)))) return false;
    if (typeof value !== 'string' && !(value instanceof Date)) return false;
    const year = new Date(value).getUTCFullYear();
    return year >= MIN_YEAR && year <= MAX_YEAR;
  };
  return z
    .custom<string | Date>(fits, expected('a time with an offset from UTC, such as 2026-11-27T08:00:00+01:00'))
    .transform((value) => new Date(value).toISOString())
    .meta({ type: 'string', format: 'date-time' });
}

/** Returns a schema for a list of at most `maxLength` different values. */
export function listOf<Schema extends z.ZodType>(element: Schema, maxLength: number) {
  return z
    .array(element, { error: ({ input }) => `expected a list, got ${show(input)}` })
    .max(maxLength, { error: `expected at most ${maxLength} elements` })
    .refine((values) => new Set(values).size === values.length, 'expected each value once');
}

/**
 * Returns a schema for a list that is either omitted or not empty. An empty list most likely comes
 * from a program that failed. If it matched all callers, a rule for some callers would limit all.
 */
export function nonEmptyListOf<Schema extends z.ZodType>(element: Schema, maxLength: number) {
  return listOf(element, maxLength).min(1, 'expected at least one element, or no list for all');
}

/**
 * Whether PostgreSQL stores the text unchanged. PostgreSQL cannot store NUL. Half a surrogate pair
 * would be replaced, so that two different texts could become equal.
 */
export function isStorable(value: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(value);
}

function expected(what: string) {
  return { error: ({ input }: { input?: unknown }) => `expected ${what}, got ${show(input)}`, abort: true };
}
