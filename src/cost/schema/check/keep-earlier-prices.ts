import type { GraphQLSchema } from 'graphql';
import type { CostAnalyzerOptions } from '../../cost-options.js';
import type { CostOverlay, SchemaProblem } from '../annotations.js';
import { readPortablePrices } from '../portable-prices.js';

/** A schema with the options that it is priced with. */
export interface SchemaWithPrices {
  schema: GraphQLSchema;
  cost: CostAnalyzerOptions | undefined;
}

/**
 * Options for a schema with mistakes that serves all the same: where something is wrong that had a price before, it keeps that one. What else is
 * wrong counts as not annotated.
 *
 * @param problems of the schema with these options
 */
export function keepEarlierPrices(
  cost: CostAnalyzerOptions | undefined,
  problems: readonly SchemaProblem[],
  earlier: SchemaWithPrices,
): CostAnalyzerOptions {
  const prices = readPortablePrices(earlier.schema, earlier.cost ?? {}).overlay;
  const wrong = problems.filter(({ severity }) => severity === 'error').map(({ coordinate }) => coordinate);
  const kept: CostOverlay = Object.fromEntries(
    wrong.flatMap((coordinate) => {
      const price = Object.hasOwn(prices, coordinate) ? prices[coordinate] : undefined;
      return price === undefined ? [] : [[coordinate, price]];
    }),
  );
  return { ...cost, overlay: { ...cost?.overlay, ...kept } };
}
