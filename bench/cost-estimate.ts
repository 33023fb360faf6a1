import { parse, validate } from 'graphql';
import { fieldExtensionsEstimator, getComplexity, simpleEstimator } from 'graphql-query-complexity';
import { createCostAnalyzer } from '../src/cost/create-cost-analyzer.js';
import { type BenchCase, benchCases } from './cost/cases.js';
import { METRICS, timeEach, type Work } from './cost/time-each.js';
import type { Bench, Variant } from './frame/bench.js';

const estimators = [fieldExtensionsEstimator(), simpleEstimator({ defaultComplexity: 1 })];

const variantOf =
  (prepare: (each: BenchCase) => Work): Variant =>
  async ({ measureMs, warmUpMs }) => {
    const works = benchCases().map((each) => [each.name, prepare(each)] as const);
    // Each case is measured for half the usual time, because seven cases would take too long.
    return timeEach(Object.fromEntries(works), { measureMs: measureMs / 2, warmUpMs: warmUpMs / 2 });
  };

/**
 * Compares the estimate of a cached plan, and of a new document, with the validation that every new
 * document requires in any case.
 */
export const bench: Bench = {
  title: 'pricing an operation with a cached plan, and pricing a new document',
  metrics: METRICS,
  baselines: ['graphql-query-complexity', 'validate'],
  rounds: 3,
  variants: {
    'graphql-query-complexity': variantOf(({ schema, text, variables }) => {
      const query = parse(text);
      return () => getComplexity({ schema, query, variables, estimators, maxQueryNodes: Number.MAX_SAFE_INTEGER });
    }),
    validate: variantOf(({ schema, text }) => {
      const document = parse(text);
      return () => validate(schema, document);
    }),
    estimate: variantOf(({ schema, text, variables }) => {
      const plan = createCostAnalyzer(schema).compile(parse(text));
      return () => plan.estimate(variables).cost;
    }),
    'compile + estimate': variantOf(({ schema, text, variables }) => {
      const analyzer = createCostAnalyzer(schema);
      const document = parse(text);
      // The analyzer caches plans by document object, so it compiles this shallow copy again.
      return () => analyzer.compile({ ...document }).estimate(variables).cost;
    }),
  },
};
