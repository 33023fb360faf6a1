import { createCostAnalyzer } from '../src/cost/create-cost-analyzer.js';
import { responseOfAMegabyte } from './cost/response.js';
import { benchSchemas } from './cost/schemas.js';
import { METRICS, timeEach, type Work } from './cost/time-each.js';
import type { Bench, Variant } from './frame/bench.js';

/** The data of the response as graphql-js returns it, and as `JSON.parse` creates it. */
const SCENARIOS = {
  'as executed': (data: unknown) => data,
  'as parsed': (data: unknown) => JSON.parse(JSON.stringify(data)),
};

const variantOf =
  (prepare: (data: unknown, measureCount: number) => Work, measureCount = 0): Variant =>
  async (conditions) => {
    const { data } = responseOfAMegabyte(benchSchemas()[0]!.schema);
    const works = Object.entries(SCENARIOS).map(([name, make]) => [name, prepare(make(data), measureCount)] as const);
    return timeEach(Object.fromEntries(works), conditions);
  };

function actual(measureCount: number): Variant {
  return variantOf((data) => {
    const { schema } = benchSchemas()[0]!;
    const plan = createCostAnalyzer(schema).compile(responseOfAMegabyte(schema).document);
    // No type is called `Nothing`, so the last measure matches no field.
    const names = ['Country', 'Region', 'Language', 'Currency', 'Query', 'Nothing'].slice(0, measureCount);
    const measures = names.map((name) => plan.measure((coordinate) => coordinate.startsWith(`${name}.`)));
    return () => plan.actual({}, data, measures).cost;
  });
}

export const bench: Bench = {
  title: 'computing the actual cost of a response of 1 MB, compared with writing the response as JSON',
  metrics: METRICS,
  baselines: ['JSON.stringify'],
  variants: {
    'JSON.stringify': variantOf((data) => () => JSON.stringify(data)),
    actual: actual(0),
    'actual, six measures': actual(6),
  },
};
