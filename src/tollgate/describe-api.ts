import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { SchemaProblem } from '../cost/annotations/schema-problem.js';
import type { FieldListing, FieldPrice } from '../cost/schema/field-price.js';
import { createPreview, type PreviewOptions } from '../protection/create-preview.js';
import { type DocumentPrice, priceDocument } from '../registry/price-document.js';
import type { PricedSchema } from '../services/published-schema.js';
import { createRuleSimulation, type SimulationSources } from '../simulation/create-rule-simulation.js';

export interface DescribeApiOptions
  extends Omit<PreviewOptions, 'schema' | 'analyzer'>,
    Pick<SimulationSources, 'fee' | 'region' | 'decisions'> {}

/** The prices and limits of an API, available without charging or running anything. */
export interface DescribedApi extends ReturnType<typeof createPreview> {
  readonly schema: GraphQLSchema;
  /**
   * Simulates a draft of a rule: returns the callers that it would have denied, from the log of
   * decisions.
   */
  simulateRule: ReturnType<typeof createRuleSimulation>;
  /**
   * Returns the price of a field and its settings; null for a coordinate that the schema does not
   * have.
   */
  fieldPrice(coordinate: string): FieldPrice | null;
  /** Returns all fields with their prices, by coordinate. Computed once. */
  fields(): readonly FieldListing[];
  /**
   * Returns the lists whose size is a guess, each with the annotation to add, and the annotations
   * that are ignored. Computed once.
   */
  guessedPrices(): readonly SchemaProblem[];
  /** Returns the price of a registered document, or why it is invalid. Computed once per text. */
  priceDocument(text: string): DocumentPrice;
}

/** Maximum size of the texts whose prices are kept, in characters. */
const MAX_PRICED_TEXTS = 2 ** 21;

export function describeApi({ schema, analyzer }: PricedSchema, options: DescribeApiOptions): DescribedApi {
  const { fee, region, decisions, ruleset, poolFinder } = options;
  let fields: readonly FieldListing[] | undefined;
  let guessed: readonly SchemaProblem[] | undefined;
  const prices = new LRUCache<string, DocumentPrice>({
    maxSize: MAX_PRICED_TEXTS,
    sizeCalculation: (_price, text) => text.length + 1,
  });
  return {
    schema,
    ...createPreview({ ...options, schema, analyzer }),
    simulateRule: createRuleSimulation({ schema, ruleset, poolFinder, region, fee, decisions }),
    fieldPrice: analyzer.fieldPrice,
    fields: () => {
      fields ??= analyzer.fields();
      return fields;
    },
    guessedPrices: () => {
      guessed ??= findGuesses(analyzer);
      return guessed;
    },
    priceDocument(text) {
      const price = prices.get(text) ?? priceDocument(text, schema, analyzer);
      prices.set(text, price);
      return price;
    },
  };
}

/**
 * Returns the warnings about a schema. If an argument of a list seems to set its size, the advice
 * about the argument replaces the advice about the list.
 */
function findGuesses(analyzer: PricedSchema['analyzer']): SchemaProblem[] {
  const warnings = analyzer.check().filter(({ severity }) => severity === 'warning');
  const sizeLike = new Set(warnings.filter(({ entry }) => entry !== undefined).map(({ coordinate }) => coordinate));
  return warnings.filter(({ coordinate, entry }) => entry !== undefined || !sizeLike.has(coordinate));
}
