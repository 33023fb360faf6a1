import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';

export const DateTimeScalar = new GraphQLScalarType({
  ...GraphQLDateTimeISO.toConfig(),
  name: 'DateTime',
  description: 'A moment in RFC 3339, in UTC: `2026-01-31T12:00:00.000Z`.',
});

/**
 * graphql-scalars has a BigInt, but it logs a warning at its first use and answers large values as text. Nothing here
 * needs more than a JSON number holds exactly, so that is what this one is.
 */
export const BigIntScalar = new GraphQLScalarType<number, number>({
  name: 'BigInt',
  description: 'A whole number from -(2^53 - 1) to 2^53 - 1, as a JSON number: more than `Int` holds.',
  serialize: toSafeInteger,
  parseValue: toSafeInteger,
  parseLiteral(node) {
    if (node.kind !== Kind.INT) throw new GraphQLError('BigInt: expected a whole number', { nodes: node });
    return toSafeInteger(Number(node.value));
  },
});

function toSafeInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new GraphQLError('BigInt: expected a whole number from -(2^53 - 1) to 2^53 - 1');
}
