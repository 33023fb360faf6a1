import type { GraphQLSchema } from 'graphql';
import type { SchemaProblem } from '../cost/annotations/schema-problem.js';
import type { FieldListing, FieldPrice } from '../cost/schema/field-price.js';
import { createPreview, type PreviewOptions } from '../protection/create-preview.js';
import type { PricedSchema } from '../services/published-schema.js';
import { createRuleSimulation, type SimulationSources } from '../simulation/create-rule-simulation.js';

export interface DescribeApiOptions
  extends Omit<PreviewOptions, 'schema' | 'analyzer'>,
    Pick<SimulationSources, 'fee' | 'decisions'> {}

/** What can be said of the prices and limits of an API, without charging or running anything. */
export interface DescribedApi extends ReturnType<typeof createPreview> {
  readonly schema: GraphQLSchema;
  /** Whom a draft of a rule would have denied, by the log of decisions. */
  simulateRule: ReturnType<typeof createRuleSimulation>;
  /** What of the price of a field can be set; null for a coordinate that the schema does not have. */
  fieldPrice(coordinate: string): FieldPrice | null;
  /** All fields with what is known of their prices, by coordinate; read once. */
  fields(): readonly FieldListing[];
  /** Lists whose size is a guess, each with what to add; read once. */
  guessedPrices(): readonly SchemaProblem[];
}

export function describeApi({ schema, analyzer }: PricedSchema, options: DescribeApiOptions): DescribedApi {
  const { fee, decisions, ruleset, poolFinder } = options;
  let fields: readonly FieldListing[] | undefined;
  let guessed: readonly SchemaProblem[] | undefined;
  return {
    schema,
    ...createPreview({ ...options, schema, analyzer }),
    simulateRule: createRuleSimulation({ schema, ruleset, poolFinder, fee, decisions }),
    fieldPrice: analyzer.fieldPrice,
    fields: () => {
      fields ??= analyzer.fields();
      return fields;
    },
    guessedPrices: () => {
      guessed ??= analyzer.check().filter(({ severity }) => severity === 'warning');
      return guessed;
    },
  };
}
