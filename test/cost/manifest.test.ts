import { buildSchema, parse, print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { hashOperation as hashOfClient } from '../../packages/client/src/hash-operation.js';
import { createManifestPrices } from '../../packages/client/src/manifest.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { hashOperation } from '../../src/cost/manifest/hash-operation.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';
import { DEFAULT_LIST_SIZE, forEachCase, outcome } from './reference/generated-cases.js';

// These tests check that the client computes the server's price from the JSON of a manifest.

const PROFILES = ['tokens', 'ibm', 'apollo', 'github'] as const;

const SIZED = buildSchema(`
  directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
  scalar Page
  type Query { pages(page: Page): [Item] @listSize(slicingArguments: ["page"]) items(first: Int): [Item] }
  type Item { name: String }`);

describe('manifests of cost formulas', () => {
  it.each(
    PROFILES,
  )('a client computes from a manifest the price that the server estimates, in profile %s', (profile) => {
    const options: CostAnalyzerOptions = { profile, defaultListSize: DEFAULT_LIST_SIZE };
    let compared = 0;
    let formulas = 0;
    forEachCase(12, ({ document, variables, analyzer, context }) => {
      const sent = JSON.parse(JSON.stringify(variables)) as Record<string, unknown>;
      const expected = outcome(() => analyzer(options).compile(document).estimate(sent).cost);
      if (typeof expected === 'string') return;
      const { manifest, missing } = analyzer(options).manifest([{ document }]);
      expect(missing.map(({ reason }) => reason)).toEqual([]);
      const priceOf = createManifestPrices(JSON.parse(JSON.stringify(manifest)));
      expect(priceOf({ document: print(document), variables: sent }), context).toBe(expected);
      compared++;
      if (Object.values(manifest.operations).some((price) => typeof price === 'object')) formulas++;
    });
    expect(compared).toBeGreaterThan(200);
    expect(formulas).toBeGreaterThan(profile === 'github' ? 30 : 100);
  });

  it('a manifest omits operations with sizes or prices that only the server can compute, and lists the reason', () => {
    const byPage = parse('query Paged($page: Page) { pages(page: $page) { name } }');
    const known = parse('{ pages(page: 4) { name } }');
    const bySchema = createCostAnalyzer(SIZED).manifest([{ document: byPage }, { document: known }]);
    expect(Object.values(bySchema.manifest.operations)).toEqual([4]);
    expect(bySchema.missing).toMatchObject([{ document: byPage, reason: expect.stringContaining('type Page') }]);

    const priced = buildSchema('type Query { search(text: String): String }');
    priced.getQueryType()!.getFields()['search']!.extensions = { complexity: () => 5 };
    const document = parse('query Search($text: String) { search(text: $text) }');
    const byFunction = createCostAnalyzer(priced).manifest([{ document }]);
    expect(byFunction.missing).toMatchObject([{ reason: expect.stringContaining('function') }]);
    expect(createManifestPrices(byFunction.manifest)({ document: print(document) })).toBeUndefined();
  });

  it('the client and the server give an operation the same hash, however it is formatted', () => {
    forEachCase(2, ({ document }) => {
      const text = print(document);
      const name = hashOperation(text);
      expect(hashOfClient(text)).toBe(name);
      expect(hashOfClient(`# of the app\n${text.replace(/\s+/g, ' ,\n')}`)).toBe(name);
      const { definitions } = document;
      expect(hashOfClient(definitions.map(print).reverse().join('\n'))).toBe(name);
      expect(hashOfClient(text.replace(/\{\n/g, '{ __typename '))).toBe(hashOfClient(text.replace(/__typename/g, '')));
    });
  });
});
