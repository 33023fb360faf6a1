import type { GraphQLCompositeType, GraphQLField } from 'graphql';
import type { ComplexityFunction, FieldComplexity } from './complexity-function.js';

interface AskEstimators {
  readonly estimators: readonly ComplexityFunction[];
  /** The field, and the fields of that name on the interfaces of its type. */
  readonly fields: readonly {
    readonly definition: GraphQLField<unknown, unknown>;
    readonly type: GraphQLCompositeType;
  }[];
}

/**
 * Returns one function of all estimators, which gives the first number that one of them gives. A field of an interface is
 * asked for only where a selection stands on the interface, as graphql-query-complexity does; the higher price counts then.
 */
export function askEstimators({ estimators, fields }: AskEstimators): FieldComplexity {
  return (options, selectedOn) => {
    let highest: number | undefined;
    for (const [at, { definition: field, type }] of fields.entries()) {
      if (at > 0 && !selectedOn.includes(type)) continue;
      const price = firstNumber(estimators, { ...options, field, type });
      if (price !== undefined && (highest === undefined || price > highest)) highest = price;
    }
    return highest;
  };
}

function firstNumber(
  estimators: readonly ComplexityFunction[],
  options: Parameters<ComplexityFunction>[0],
): number | undefined {
  for (const estimator of estimators) {
    const price = estimator(options);
    if (typeof price === 'number' && !Number.isNaN(price)) return price;
  }
  return undefined;
}
