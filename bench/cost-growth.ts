import { parse } from 'graphql';
import { createCostAnalyzer } from '../src/cost/create-cost-analyzer.js';
import { benchSchemas, queryOf } from './cost/schemas.js';
import { timeEach, type Work } from './cost/time-each.js';
import type { Bench, Variant } from './frame/bench.js';

const TOKENS = [100, 1000, 10_000];

/**
 * Measures the work per token, which must not increase with the length of the document. All
 * scenarios of a variant should have about the same result.
 */
const variantOf =
  (prepare: (text: string) => Work): Variant =>
  async (conditions) => {
    const { schema } = benchSchemas()[0]!;
    const queries = TOKENS.map((tokens) => ({ tokens, ...queryOfTokens(schema, tokens) }));
    const works = queries.map(({ tokens, text }) => [`${tokens} tokens`, prepare(text)] as const);
    const sample = timeEach(Object.fromEntries(works), conditions);
    return Object.fromEntries(
      queries.map(({ tokens, actual }) => [
        `${tokens} tokens`,
        { 'ns per token': (sample[`${tokens} tokens`]!['us']! * 1000) / actual },
      ]),
    );
  };

function queryOfTokens(schema: Parameters<typeof queryOf>[0], tokens: number): { text: string; actual: number } {
  let fields = Math.ceil(tokens / 3);
  for (;;) {
    const { text } = queryOf(schema, fields);
    const actual = parse(text).tokenCount ?? 0;
    if (actual >= tokens * 0.9) return { text, actual };
    fields = Math.ceil((fields * tokens) / actual);
  }
}

export const bench: Bench = {
  title: 'pricing a new document by its length, compared with parsing it',
  metrics: [{ name: 'ns per token', better: 'lower' }],
  baselines: ['parse'],
  variants: {
    parse: variantOf((text) => () => parse(text)),
    'compile + estimate': variantOf((text) => {
      const { schema } = benchSchemas()[0]!;
      const analyzer = createCostAnalyzer(schema);
      const document = parse(text);
      return () => analyzer.compile({ ...document }).estimate({ first: 20 }).cost;
    }),
  },
};
