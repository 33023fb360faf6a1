import { readFileSync } from 'node:fs';
import { buildSchema, parse, print, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createManifestPrices } from '../../packages/client/src/manifest.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { outcome } from './reference/generated-cases.js';
import { createRandom, type Random } from './reference/random.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const schema = buildSchema(`${directives}
  enum Order { UP DOWN }
  input Deep { least: Int! = 4 must: Boolean! names: [String!] @cost(weight: "2", perElement: true) }
  input In {
    size: Int! other: Int = 7 ratio: Float order: Order! = UP id: ID on: Boolean
    tags: [String!] @cost(weight: "3") deep: Deep @cost(weight: "5") deeps: [Deep!] @cost(weight: "1")
  }
  type Query {
    items(first: Int! = 5, last: Int, in: In @cost(weight: "4"), ids: [ID!] @cost(weight: "3", perElement: true), ins: [In!], text: String): [Item]
      @listSize(
        slicingArguments: ["first", "last", "in.size", "in.other", "in.deep.least", "ids", "text"]
        requireOneSlicingArgument: false
      )
    plain(first: Int!, in: In! @cost(weight: "2")): [Item]
      @listSize(slicingArguments: ["first", "in.other", "in.tags"], requireOneSlicingArgument: false)
  }
  type Item { id: ID @cost(weight: "1") }`);

/** Many have a nullable variable at a non-null position, which a default of the variable allows. */
const OPERATIONS = [
  'query ($v: Int = 0) { plain(first: $v, in: { size: 1 }) { id } }',
  'query ($v: Int = 0) { plain(first: 1, in: { size: $v, other: 50, tags: ["a"] }) { id } }',
  'query ($v: Int = 3, $w: Int) { items(first: 0, in: { size: $v, other: $w }) { id } }',
  'query ($v: Int = 3) { items(first: $v, last: 2) { id } }',
  'query ($v: Int = 3, $b: Boolean = true) { items(first: 0, in: { size: 2, deep: { least: $v, must: $b } }) { id } }',
  'query ($v: Int = 3, $b: Boolean = true) { items(first: 0, in: { size: 2, deeps: [{ least: $v, must: $b, names: "x" }] }) { id } }',
  'query ($v: Order = UP, $w: Int) { items(first: 0, in: { size: 9, order: $v, other: $w }) { id } }',
  'query ($t: String = "a") { items(first: 0, in: { size: 9, tags: ["b", $t] }) { id } }',
  'query ($i: ID = "a") { items(first: 0, ids: ["b", $i]) { id } }',
  'query ($ids: [ID!] = ["a"]) { items(first: 0, ids: $ids) { id } }',
  'query ($in: In) { items(first: 0, in: $in) { id } }',
  'query ($in: In = { size: 6 }) { plain(first: 0, in: $in) { id } }',
  'query ($in: In!) { plain(first: 0, in: $in) { id } }',
  'query ($deep: Deep = { must: true }) { items(first: 0, in: { size: 2, deep: $deep }) { id } }',
  'query ($n: Int!, $text: String) { items(first: $n, text: $text) { id } }',
  'query ($b: Boolean = true) { items(first: 2) @include(if: $b) { id } }',
];

/** Returns a random JSON value, usually of the right type. */
function anyValue(random: Random, depth = 2): unknown {
  const names = ['size', 'other', 'ratio', 'order', 'id', 'on', 'tags', 'deep', 'deeps', 'least', 'must', 'names'];
  switch (random.below(depth > 0 ? 9 : 6)) {
    case 0:
      return null;
    case 1:
      return random.pick([0, 3, -2, 40, 2 ** 31, 1.5, 1e300]);
    case 2:
      return random.pick(['a', '12', '', 'UP', 'NONE', '4e3']);
    case 3:
      return random.chance(0.5);
    case 4:
    case 5:
      return random.below(30);
    case 6:
      return Array.from({ length: random.below(3) }, () => anyValue(random, depth - 1));
    default:
      return anyObject(random, names, depth);
  }
}

function anyObject(random: Random, names: readonly string[], depth: number): unknown {
  const likely: Record<string, () => unknown> = {
    size: () => random.below(20),
    other: () => random.pick([random.below(20), null]),
    least: () => random.below(20),
    must: () => true,
    tags: () => random.pick(['a', ['a', 'b']]),
    deep: () => ({ must: true, ...(anyObject(random, ['least', 'must', 'names'], depth - 1) as object) }),
  };
  const entries = random
    .some(names, 0.3)
    .map((name) => [name, random.chance(0.8) && likely[name] ? likely[name]() : anyValue(random, depth - 1)]);
  return { ...(random.chance(0.7) && { size: 4 }), ...Object.fromEntries(entries) };
}

describe('manifests and variables', () => {
  it.each(
    OPERATIONS,
  )('a manifest gives the price of the server, and none for variables that the server rejects: %s', (source) => {
    const document = parse(source);
    expect(validate(schema, document)).toEqual([]);
    // A manifest contains neither the names of enum values nor input fields that affect no cost or
    // size. So the client may compute a price for variables of these types that the server rejects.
    const isHeldByServer = /: (In|Deep|Order)\b/.test(source);
    const names = [...source.matchAll(/\$(\w+):/g)].map(([, name]) => name!);
    const random = createRandom(source.length);
    for (const profile of ['tokens', 'apollo', 'ibm'] as const) {
      const analyzer = createCostAnalyzer(schema, { profile, minimumCost: 0 });
      const { manifest, missing } = analyzer.manifest([{ document }]);
      expect(missing).toEqual([]);
      const priceOf = createManifestPrices(JSON.parse(JSON.stringify(manifest)));
      const plan = analyzer.compile(document);
      const all: Record<string, unknown>[] = [
        {},
        ...names.flatMap((name) => [{ [name]: null }, { [name]: 0 }, { [name]: { size: null } }]),
      ];
      for (let i = 0; i < 60; i++) {
        all.push(Object.fromEntries(random.some(names, 0.9).map((name) => [name, anyValue(random)])));
      }
      for (const variables of all) {
        const server = outcome(() => plan.estimate(variables).cost);
        const client = priceOf({ document: print(document), variables });
        const context = `${profile} ${JSON.stringify(variables)}: ${server}`;
        if (typeof server === 'number') expect(client, context).toBe(server);
        else if (!isHeldByServer) expect(client, context).toBeUndefined();
      }
    }
  });

  it('a manifest gives no price if a non-null field of an input object is null', () => {
    const document = parse('query ($in: In!) { plain(first: 0, in: $in) { id } }');
    const { manifest } = createCostAnalyzer(schema).manifest([{ document }]);
    const priceOf = (variables: object) =>
      createManifestPrices(JSON.parse(JSON.stringify(manifest)))({ document: print(document), variables });
    for (const value of [{}, { size: null }, { size: '4' }, { size: 4, deep: {} }, [{ size: 4 }], 4, null]) {
      expect(priceOf({ in: value }), JSON.stringify(value)).toBeUndefined();
    }
    expect(priceOf({})).toBeUndefined();
    expect(priceOf({ in: { size: 4 } })).toBe(2 + 7 * 2);
  });
});
