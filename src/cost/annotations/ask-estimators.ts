import type { GraphQLCompositeType, GraphQLField } from 'graphql';
import type { ComplexityFunction, FieldComplexity } from './complexity-function.js';

interface AskEstimators {
  readonly estimators: readonly ComplexityFunction[];
  /**
   * The field, followed by the fields of the same name on the interfaces that its type implements.
   */
  readonly fields: readonly {
    readonly definition: GraphQLField<unknown, unknown>;
    readonly type: GraphQLCompositeType;
  }[];
}

/**
 * Combines all estimators into one function. The price of a field definition is the first number
 * that an estimator returns. If a selection is on an interface, the function also prices the field
 * of that interface, like graphql-query-complexity, and returns the highest price.
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
