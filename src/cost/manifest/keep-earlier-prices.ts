import type { GraphQLSchema } from 'graphql';
import type { SchemaProblem } from '../annotations/schema-problem.js';
import { pricedElements } from '../overlay/priced-elements.js';
import type { CostAnalyzerOptions } from '../settings/cost-analyzer-options.js';
import { readPortablePrices } from './portable-prices.js';

/** A schema with the options that it is priced with. */
interface SchemaWithPrices {
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
  const wrong = problems.filter(({ severity }) => severity === 'error').map(({ coordinate }) => coordinate);
  return keepPricesAt(wrong, cost, earlier);
}

/** Options for a schema whose annotations cannot be read at all: whatever of it had a price before keeps that one. */
export function keepAllEarlierPrices(
  cost: CostAnalyzerOptions | undefined,
  schema: GraphQLSchema,
  earlier: SchemaWithPrices,
): CostAnalyzerOptions {
  const coordinates = Array.from(pricedElements(schema), ({ coordinate }) => coordinate);
  return keepPricesAt(coordinates, cost, earlier);
}

function keepPricesAt(
  coordinates: readonly string[],
  cost: CostAnalyzerOptions | undefined,
  earlier: SchemaWithPrices,
): CostAnalyzerOptions {
  const prices = readPortablePrices(earlier.schema, earlier.cost ?? {}).overlay;
  const kept = coordinates.flatMap((coordinate) => {
    const price = Object.hasOwn(prices, coordinate) ? prices[coordinate] : undefined;
    return price === undefined ? [] : [[coordinate, price]];
  });
  return { ...cost, overlay: { ...cost?.overlay, ...Object.fromEntries(kept) } };
}
