import type { GraphQLSchema } from 'graphql';
import type { SchemaProblem } from '../cost/annotations/schema-problem.js';
import { reportAnnotations } from '../cost/check/report-annotations.js';
import { type CostAnalyzer, createCostAnalyzer } from '../cost/create-cost-analyzer.js';
import { keepAllEarlierPrices, keepEarlierPrices } from '../cost/manifest/keep-earlier-prices.js';
import { parseSchema } from '../cost/schema/parse-schema.js';
import type { CostAnalyzerOptions } from '../cost/settings/cost-analyzer-options.js';
import type { Logger } from '../model/logger.js';
import type { createPreview } from '../protection/create-preview.js';
import type { PricedSchema } from '../services/published-schema.js';

type Preview = ReturnType<typeof createPreview>;

interface PricedSchemasOptions {
  readonly first: PricedSchema;
  /** Mistakes and warnings of the first schema. */
  readonly problems: readonly SchemaProblem[];
  /** Pricing options for schemas that have none of their own. */
  readonly cost: CostAnalyzerOptions | undefined;
  readonly previewOf: (priced: PricedSchema) => Preview;
  /** Whether guessed prices are logged. */
  readonly logsGuesses: boolean;
  readonly logger: Logger;
}

interface CurrentSchema {
  readonly priced: PricedSchema;
  readonly cost: CostAnalyzerOptions | undefined;
  readonly preview: Preview;
  /** Messages about prices that have no effect. */
  readonly misfits: readonly string[];
}

interface PricedSchemas {
  /** Returns the schema that was protected last. Previews and the admin API use it. */
  current(): CurrentSchema;
  /**
   * Prices a schema and makes it the current one.
   * @throws TypeError that lists every mistake in the annotations of the schema
   */
  price(schema: GraphQLSchema, cost?: CostAnalyzerOptions): PricedSchema;
  /**
   * Prices a schema that the server already serves, and logs the mistakes in it. A field with a
   * mistake keeps its earlier price. Without an earlier price it counts as not annotated.
   * @param supergraph text of the supergraph that the schema was made from
   */
  priceServed(schema: GraphQLSchema, supergraph?: string): CostAnalyzer;
}

/** Prices the successive schemas of a server. */
export function createPricedSchemas(options: PricedSchemasOptions): PricedSchemas {
  const { cost: defaultCost, previewOf, logsGuesses, logger } = options;
  let current: CurrentSchema = {
    priced: options.first,
    cost: defaultCost,
    preview: previewOf(options.first),
    misfits: describeMisfits(options.problems),
  };

  function take(priced: PricedSchema, cost: CostAnalyzerOptions | undefined, misfits: readonly string[]): PricedSchema {
    current = { priced, cost, preview: previewOf(priced), misfits };
    return priced;
  }

  function price(schema: GraphQLSchema, cost = defaultCost): PricedSchema {
    const analyzer = createCostAnalyzer(schema, cost);
    const problems = analyzer.check();
    reportAnnotations(problems, logger, { ...cost, logsGuesses });
    return take({ schema, analyzer }, cost, describeMisfits(problems));
  }

  function priceServed(served: GraphQLSchema, supergraph?: string): CostAnalyzer {
    let annotated = served;
    try {
      // The supergraph has the types and fields of the served schema with their annotations, and
      // further ones that callers cannot select.
      if (supergraph !== undefined) annotated = parseSchema(supergraph).schema;
    } catch (error) {
      logger.error(
        { err: error },
        'The supergraph of the server cannot be read: fields keep their earlier prices, and new ones have the default price',
      );
      return priceWithoutSupergraph(served, error);
    }
    try {
      return price(annotated).analyzer;
    } catch (error) {
      logger.error(
        { err: error },
        'The new schema of the server has mistakes in its prices: the fields concerned keep their earlier prices, or have the default price',
      );
      return priceWithMistakes(annotated);
    }
  }

  function priceWithMistakes(schema: GraphQLSchema): CostAnalyzer {
    const problems = createCostAnalyzer(schema, defaultCost).check();
    const cost = keepEarlierPrices(defaultCost, problems, earlier());
    return take({ schema, analyzer: createCostAnalyzer(schema, cost) }, cost, describeMisfits(problems)).analyzer;
  }

  /**
   * Prices the served schema, which has no annotations: without earlier prices, all its prices
   * would be the defaults.
   */
  function priceWithoutSupergraph(schema: GraphQLSchema, error: unknown): CostAnalyzer {
    const cost = keepAllEarlierPrices(defaultCost, schema, earlier());
    const misfit = `the supergraph in force cannot be read: ${(error as Error).message}`;
    return take({ schema, analyzer: createCostAnalyzer(schema, cost) }, cost, [misfit]).analyzer;
  }

  const earlier = () => ({ schema: current.priced.schema, cost: current.cost });

  return { current: () => current, price, priceServed };
}

/** Describes prices that have no effect. They are reported as long as the schema is in force. */
function describeMisfits(problems: readonly SchemaProblem[]): string[] {
  const inOverlay = problems.filter(({ overlayKey }) => overlayKey !== undefined);
  const inSchema = problems.filter(({ severity, overlayKey }) => severity === 'error' && overlayKey === undefined);
  return [
    ...describeSome('prices of the overlay do not fit the schema in force', inOverlay),
    ...describeSome('the schema in force has mistakes in its prices', inSchema),
  ];
}

function describeSome(what: string, [first, ...others]: readonly SchemaProblem[]): string[] {
  if (first === undefined) return [];
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  return [`${what}: ${first.coordinate}: ${first.message}${more}`];
}
