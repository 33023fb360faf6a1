import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';

export const JsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value.',
});

/**
 * The moment that a text says, which may be a day as people write it: its beginning in UTC. Wherever the administration takes
 * a moment it takes these.
 * @throws GraphQLError for any other text
 */
export function parseMoment(value: unknown): Date {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  const moment = GraphQLDateTimeISO.parseValue(isDay ? `${value}T00:00:00Z` : value) as Date;
  const year = moment.getUTCFullYear();
  // PostgreSQL has no year 0, and a zone can put the first and the last moments into other years.
  if (year >= MIN_YEAR && year <= MAX_YEAR) return moment;
  throw new GraphQLError(`DateTime: expected a year from ${MIN_YEAR} to ${MAX_YEAR}, got ${year}`);
}

const MIN_YEAR = 1000;
const MAX_YEAR = 9999;

export const DateTimeScalar = new GraphQLScalarType({
  ...GraphQLDateTimeISO.toConfig(),
  name: 'DateTime',
  description:
    'A moment in RFC 3339, `2026-01-31T12:00:00.000Z`, or a day, `2026-01-31`, which is its beginning in UTC.',
  parseValue: parseMoment,
  parseLiteral(node) {
    if (node.kind !== Kind.STRING) throw new GraphQLError('DateTime: expected a text', { nodes: node });
    return parseMoment(node.value);
  },
});

/** Nothing here needs more than a JSON number holds exactly, so that is what this one is, and what it is called. */
export const SafeIntScalar = new GraphQLScalarType<number, number>({
  name: 'SafeInt',
  description: 'A whole number up to 2^53 - 1 in either direction, as a JSON number.',
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
