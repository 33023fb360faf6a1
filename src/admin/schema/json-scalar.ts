import { GraphQLError, GraphQLScalarType, Kind, print } from 'graphql';
import { isCalendarDate } from '../../options/is-calendar-date.js';

export const JsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value.',
});

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** `date-time` of RFC 3339, section 5.6, without leap seconds. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

const EXPECTED = 'DateTime: expected a time such as "2026-01-31T12:00:00Z" or a day such as "2026-01-31"';

/**
 * Parses a time in RFC 3339, or a day such as `2026-01-31`, which stands for its start in UTC. All
 * parts of the admin API accept times in these forms.
 * @throws GraphQLError for any other text
 */
export function parseMoment(value: unknown): Date {
  const text = typeof value === 'string' && DAY.test(value) ? `${value}T00:00:00Z` : value;
  if (typeof text !== 'string' || !DATE_TIME.test(text) || !isCalendarDate(text.slice(0, 10))) {
    throw new GraphQLError(`${EXPECTED}, got ${JSON.stringify(value)}`);
  }
  const moment = new Date(text.toUpperCase());
  const year = moment.getUTCFullYear();
  // PostgreSQL has no year 0, and a time zone can shift the first and the last moments into other
  // years.
  if (year >= MIN_YEAR && year <= MAX_YEAR) return moment;
  throw new GraphQLError(`DateTime: expected a year from ${MIN_YEAR} to ${MAX_YEAR}, got ${year}`);
}

const MIN_YEAR = 1000;
const MAX_YEAR = 9999;

export const DateTimeScalar = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'A time in RFC 3339, `2026-01-31T12:00:00.000Z`, or a day, `2026-01-31`, which means its start in UTC.',
  serialize: (moment) => new Date(moment as Date | string | number).toISOString(),
  parseValue: parseMoment,
  parseLiteral(node) {
    if (node.kind !== Kind.STRING) throw new GraphQLError(`${EXPECTED}, got ${print(node)}`, { nodes: node });
    return parseMoment(node.value);
  },
});

/** A whole number as a JSON number. No value of this API is too large for an exact JSON number. */
export const SafeIntScalar = new GraphQLScalarType<number, number>({
  name: 'SafeInt',
  description: 'A whole number from -(2^53 - 1) to 2^53 - 1, as a JSON number.',
  serialize: toSafeInteger,
  parseValue: toSafeInteger,
  parseLiteral(node) {
    if (node.kind !== Kind.INT) throw new GraphQLError('SafeInt: expected a whole number', { nodes: node });
    return toSafeInteger(Number(node.value));
  },
});

function toSafeInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new GraphQLError('SafeInt: expected a whole number from -(2^53 - 1) to 2^53 - 1');
}
