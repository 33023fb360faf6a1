import { readFileSync } from 'node:fs';
import { buildSchema, parse, print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createManifestPrices } from '../../packages/client/src/manifest.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const schema = buildSchema(`${directives}
  type Query {
    page(first: Int): Page @listSize(slicingArguments: ["first"], sizedFields: ["items"], requireOneSlicingArgument: false)
    deep(first: Int): Outer @listSize(slicingArguments: ["first"], sizedFields: ["page { items }"], requireOneSlicingArgument: false)
  }
  type Outer { page: Page }
  type Page { items(limit: Int): [T] @listSize(slicingArguments: ["limit"], requireOneSlicingArgument: false) }
  type T { a: Int }`);

const SIZES = [
  ['{ page(first: 3) { items(limit: 100) { a } } }', {}, 3, 100],
  ['query ($n: Int) { page(first: $n) { items(limit: 100) { a } } }', { n: 3 }, 3, 100],
  ['query ($n: Int) { page(first: 3) { items(limit: $n) { a } } }', { n: 100 }, 3, 100],
  ['query ($n: Int, $m: Int) { page(first: $n) { items(limit: $m) { a } } }', { n: 3, m: 100 }, 3, 100],
  ['{ deep(first: 3) { page { items(limit: 100) { a } } } }', {}, 3, 100],
  ['{ page(first: 100) { items(limit: 3) { a } } }', {}, 100, 100],
  // If the page has no size, the list keeps its own size.
  ['{ page { items(limit: 100) { a } } }', {}, 100, 100],
  ['query ($n: Int) { page(first: $n) { items(limit: 100) { a } } }', {}, 100, 100],
  ['query ($n: Int) { page(first: $n) { items(limit: 100) { a } } }', { n: null }, 100, 100],
] as const;

describe('page-sized lists with their own argument', () => {
  it.each(
    SIZES,
  )('%s with %j has %i items in the profiles ibm and apollo, and %i in tokens', (source, variables, page, larger) => {
    const document = parse(source);
    const others = source.includes('deep') ? 2 : 1;
    for (const [profile, items] of [
      ['ibm', page],
      ['apollo', page],
      ['tokens', larger],
    ] as const) {
      const analyzer = createCostAnalyzer(schema, { profile, minimumCost: 0 });
      const plan = analyzer.compile(document);
      const { cost, typeCost } = plan.estimate(variables);
      const objects = profile === 'ibm' ? typeCost - 1 : cost;
      expect(objects, profile).toBe(items + others);
      expect(JSON.stringify(plan.explain(variables).fields), profile).toContain(`"multiplier":${items}`);
      const priceOf = createManifestPrices(JSON.parse(JSON.stringify(analyzer.manifest([{ document }]).manifest)));
      expect(priceOf({ document: print(document), variables }), `${profile}, in a manifest`).toBe(cost);
    }
  });
});
