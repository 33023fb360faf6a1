import { readFileSync } from 'node:fs';
import { buildSchema, GraphQLList, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createManifestPrices } from '../../packages/client/src/manifest.js';
import type { CostOverlay } from '../../src/cost/annotations/cost-overlay.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { readPortablePrices } from '../../src/cost/manifest/portable-prices.js';
import { createExpectCost } from '../helpers/expect-cost.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const EACH = '@cost(weight: "1", perElement: true)';
const ADDRESSES = Array.from({ length: 5000 }, (_, i) => `user${i}@example.com`);
const INVITE = 'mutation ($emails: [String!]!) { inviteUsers(emails: $emails) }';
const INVITE_TYPES = `
  type Query { a: Int }
  type Mutation { inviteUsers(emails: [String!]! EACH): [Boolean!]! SIZED }`;

function mutationSchema(each: string, sized = ''): GraphQLSchema {
  return buildSchema(`${directives}${INVITE_TYPES.replace('EACH', each).replace('SIZED', sized)}`);
}

function costOf(schema: GraphQLSchema, text: string, variables = {}, overlay: CostOverlay = {}): number {
  return createCostAnalyzer(schema, { overlay }).compile(parse(text)).estimate(variables).cost;
}

function problemsOf(schema: GraphQLSchema, overlay: CostOverlay = {}): string[] {
  return createCostAnalyzer(schema, { overlay })
    .check()
    .flatMap(({ severity, coordinate, message }) => (severity === 'error' ? [`${coordinate}: ${message}`] : []));
}

describe('weights per element', () => {
  it('a weight per element counts once per element of a list of scalars, in SDL, overlay and extensions', () => {
    const sized = '@cost(weight: "1") @listSize(slicingArguments: ["emails"])';
    expect(costOf(mutationSchema(EACH, sized), INVITE, { emails: ADDRESSES })).toBe(5011);
    const overlay = { 'Mutation.inviteUsers(emails:)': { weight: 1, perElement: true } };
    expect(costOf(mutationSchema(''), INVITE, { emails: ADDRESSES }, overlay)).toBe(5010);
    const args = {
      emails: { type: new GraphQLList(GraphQLString), extensions: { cost: { weight: 1, perElement: true } } },
    };
    const query = new GraphQLObjectType({ name: 'Query', fields: { invite: { type: GraphQLString, args } } });
    const query5000 = 'query ($emails: [String]) { invite(emails: $emails) }';
    expect(costOf(new GraphQLSchema({ query }), query5000, { emails: ADDRESSES })).toBe(5000);
  });

  const expectCost = createExpectCost(`
    input User { name: String tags: [String] @cost(weight: "2", perElement: true) }
    scalar Json
    interface Node { add(ids: [ID] @cost(weight: "3", perElement: true)): Int }
    type Leaf implements Node { add(ids: [ID]): Int }
    type Query {
      node: Node
      leaf: Leaf
      names(of: [String] ${EACH}): Int
      matrix(of: [[Int]] ${EACH}): Int
      any(of: [Json] ${EACH}): Int
      users(of: [User] @cost(weight: "5", perElement: true)): Int
      defaulted(of: [Int] = [1, 2, 3] ${EACH}): Int
    }
    directive @tag(names: [String!] @cost(weight: "4", perElement: true)) on FIELD`);

  it.each([
    ['nothing for an empty list', 'names(of: [])', 0],
    ['nothing for null', 'names(of: null)', 0],
    ['nothing for an absent argument', 'names', 0],
    ['one for a single value that is coerced to a list', 'names(of: "a")', 1],
    ['one for each null in a list', 'names(of: [null, null, "a"])', 3],
    ['one for each element of inner lists', 'matrix(of: [[1, 2], [3]])', 3],
    ['one for each empty or null inner list', 'matrix(of: [[], null, [], [1, 2]])', 5],
    ['one for a custom scalar with any content', 'any(of: [[1, 2, 3], "a"])', 2],
    ['one for each element of a default', 'defaulted', 3],
    ['the weight of each input object and its content', 'users(of: [{ name: "a", tags: ["x", "y"] }, {}, null])', 19],
    ['the weight for each element of a directive argument', 'names @tag(names: ["a", "b"])', 8],
    ['the weight on the interface if the field is selected on the object', 'leaf { add(ids: [1, 2]) }', 7],
    ['the weight on the interface if the field is selected on the interface', 'node { add(ids: [1, 2]) }', 7],
  ])('a weight per element costs %s', (_, field, tokens) => {
    expectCost(`{ ${field} }`, tokens);
  });

  it('a weight per element has the same cost in variables and in parts of a literal', () => {
    const text =
      'query ($of: [String], $one: String, $user: User) { names(of: $of) b: names(of: [$one, "x"]) users(of: [$user]) }';
    expectCost(text, 3 + 2 + 5 + 4, { of: ['a', 'b', 'c'], one: 'y', user: { tags: ['s', 't'] } });
    expectCost(text, 0 + 2 + 5);
  });

  it.each(['tokens', 'apollo', 'ibm'] as const)('a weight per element has the same effect in profile %s', (profile) => {
    const schema = buildSchema(
      `${directives} type Query { a: Int names(of: [String] @cost(weight: "500", perElement: true)): Int }`,
    );
    const plan = (text: string) => createCostAnalyzer(schema, { profile, minimumCost: 0 }).compile(parse(text));
    const [two, five] = ['["a", "b"]', '["a", "b", null, "d", "e"]'].map((of) => plan(`{ names(of: ${of}) }`));
    const difference = five!.estimate().cost - two!.estimate().cost;
    expect(difference).toBe(1500);
  });

  it('the formula in a manifest contains the weight per element, and the client computes it', () => {
    const schema = mutationSchema(EACH);
    const { manifest } = createCostAnalyzer(schema).manifest([{ document: parse(INVITE) }]);
    const priceOf = createManifestPrices(JSON.parse(JSON.stringify(manifest)));
    expect(priceOf({ document: INVITE, variables: { emails: ADDRESSES } })).toBe(5010);
    expect(priceOf({ document: INVITE, variables: { emails: 'one' } })).toBe(11);
  });

  it('published prices keep the weight per element', () => {
    const { overlay } = readPortablePrices(mutationSchema(EACH), {});
    expect(overlay).toEqual({ 'Mutation.inviteUsers(emails:)': { cost: 1, perElement: true } });
    expect(costOf(mutationSchema(''), INVITE, { emails: ADDRESSES }, overlay)).toBe(5010);
  });

  it('perElement belongs to the weight next to it, and a new weight replaces both', () => {
    const coordinate = 'Mutation.inviteUsers(emails:)';
    const ten = { emails: ADDRESSES.slice(0, 10) };
    expect(costOf(mutationSchema(EACH), INVITE, ten, { [coordinate]: 7 })).toBe(17);
    const pattern = { '*.inviteUsers(*:)': { weight: 3, perElement: true } };
    expect(costOf(mutationSchema(''), INVITE, ten, pattern)).toBe(40);
    expect(costOf(mutationSchema(''), INVITE, ten, { ...pattern, 'Mutation.inviteUsers(em*:)': 7 })).toBe(17);
    expect(costOf(mutationSchema(''), INVITE, ten, { ...pattern, [coordinate]: 7 })).toBe(17);
    expect(costOf(mutationSchema(''), INVITE, ten, { ...pattern, [coordinate]: { maxSize: 5 } })).toBe(40);
  });

  it('a pattern does not set perElement for arguments that are not lists', () => {
    const schema = buildSchema('type Query { find(name: String, ids: [ID!]): Int }');
    const overlay = { 'Query.find(*:)': { weight: 2, perElement: true } };
    expect(problemsOf(schema, overlay)).toEqual([]);
    expect(costOf(schema, '{ find(name: "a", ids: [1, 2, 3]) }', {}, overlay)).toBe(6);
  });

  it('perElement without list elements or without a weight is an error that names the coordinate', () => {
    const schema = buildSchema(`${directives}
      type Query { a(b: Int ${EACH}): [Int] ${EACH} }
      input In { c: String ${EACH} d: [Int] ${EACH} }
      enum Color ${EACH} { RED }`);
    expect(problemsOf(schema)).toEqual([
      'Query.a: perElement: expected only on arguments and input fields that take a list: leave perElement out',
      'Query.a(b:): perElement: Int is not a list: leave perElement out',
      'In.c: perElement: String is not a list: leave perElement out',
      'Color: perElement: expected only on arguments and input fields that take a list: leave perElement out',
    ]);
    const overlay = {
      'In.d': { perElement: true },
      'Query.a(b:)': { weight: 1, perElement: 'yes' as unknown as boolean },
    };
    expect(problemsOf(buildSchema('type Query { a(b: [Int]): Int } input In { d: [Int] }'), overlay)).toEqual([
      'In.d: perElement: expected together with a weight',
      'Query.a(b:): perElement: expected true or false, got "yes"',
    ]);
  });
});
