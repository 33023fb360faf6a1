import {
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
} from 'graphql';
import type { Random } from '../../cost/reference/random.js';

/** An object, with the size that a page argument of the field above it requests. */
interface Mocked {
  readonly size?: number | undefined;
}

/**
 * Returns a resolver of random values for every field. A list has at most the number of items that
 * a page argument (`first`, `last` or `limit`) of its field, or of the field of its object,
 * requests. Without such an argument, a list has at most one item.
 */
export function resolvePage(random: Random): GraphQLFieldResolver<Mocked, unknown> {
  function mock(type: GraphQLOutputType, size: number | undefined): unknown {
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      return Array.from({ length: random.below((size ?? 1) + 1) }, () => mock(nullable.ofType, undefined));
    }
    if (isEnumType(nullable)) return nullable.getValues()[0]!.value;
    if (!isLeafType(nullable)) return { size };
    return { Int: 1, Float: 1, Boolean: true }[nullable.name] ?? '1';
  }
  return (parent, args, _context, { returnType }) => {
    const own = (args['first'] ?? args['last'] ?? args['limit']) as number | undefined;
    return mock(returnType, own ?? parent.size);
  };
}
