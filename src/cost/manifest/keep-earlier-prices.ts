import type { GraphQLSchema } from 'graphql';
import type { SchemaProblem } from '../annotations/schema-problem.js';
import { pricedElements } from '../overlay/priced-elements.js';
import type { CostAnalyzerOptions } from '../settings/cost-analyzer-options.js';
import { readPortablePrices } from './portable-prices.js';

/** Schema with its pricing options. */
interface SchemaWithPrices {
  schema: GraphQLSchema;
  cost: CostAnalyzerOptions | undefined;
}

/**
 * Returns options with which a schema can be used although its annotations have mistakes. An
 * element with a mistake keeps its price in the earlier schema. Without an earlier price, only the
 * mistaken parts of its annotation are ignored.
 *
 * @param problems problems of the schema with the options `cost`
 */
export function keepEarlierPrices(
  cost: CostAnalyzerOptions | undefined,
  problems: readonly SchemaProblem[],
  earlier: SchemaWithPrices,
): CostAnalyzerOptions {
  const wrong = problems.filter(({ severity }) => severity === 'error').map(({ coordinate }) => coordinate);
  return keepPricesAt(wrong, cost, earlier);
}

/**
 * Returns options for a schema whose annotations cannot be read at all. Every element has the price
 * from the earlier schema.
 */
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
