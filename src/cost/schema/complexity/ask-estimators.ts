import type { GraphQLCompositeType, GraphQLField } from 'graphql';
import type { ComplexityFunction } from './author-function.js';

export interface AskEstimators {
  readonly estimators: readonly ComplexityFunction[];
  /** The field, and the fields of that name on the interfaces of its type: under each of them callers can select it. */
  readonly fields: readonly {
    readonly definition: GraphQLField<unknown, unknown>;
    readonly type: GraphQLCompositeType;
  }[];
}

/**
 * One function of all estimators: the first number that one of them gives. Where a field and that of an interface are
 * priced differently the higher price counts, however it is selected.
 */
export function askEstimators({ estimators, fields }: AskEstimators): ComplexityFunction {
  return (options) => {
    let highest: number | undefined;
    for (const { definition: field, type } of fields) {
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
