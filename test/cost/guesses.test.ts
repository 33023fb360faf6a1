import {
  buildSchema,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  parse,
  print,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { createManifestPrices } from '../../packages/client/src/manifest.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';
import { costTypeDefs } from '../../src/entry/cost.js';

// A guess is a list that the default list size prices, at least in some operations.

const TYPES = 'type P { n: String } type C { items: [P] } type Oops { message: String }';

const analyzerOf = (sdl: string, options?: CostAnalyzerOptions) =>
  createCostAnalyzer(buildSchema(`${costTypeDefs} ${TYPES} ${sdl}`), options);
const warnedOf = (sdl: string, options?: CostAnalyzerOptions) =>
  analyzerOf(sdl, options)
    .check()
    .map(({ coordinate }) => coordinate);
const entriesOf = (sdl: string, options?: CostAnalyzerOptions) =>
  Object.assign(
    {},
    ...analyzerOf(sdl, options)
      .guesses()
      .map(({ entries }) => entries),
  );
const costOf = (sdl: string, query: string, options?: CostAnalyzerOptions) =>
  analyzerOf(sdl, { minimumCost: 0, ...options })
    .compile(parse(query))
    .estimate().cost;

/** Returns the costs of operations with every field of a schema, with the required arguments. */
function pricesOfAll(sdl: string, defaultListSize: number): number[] {
  const schema = buildSchema(`${costTypeDefs} ${TYPES} ${sdl}`);
  const analyzer = createCostAnalyzer(schema, { defaultListSize, minimumCost: 0 });
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) => type ?? []);
  return roots.map((root) => {
    const keyword = root === schema.getMutationType() ? 'mutation' : 'query';
    return analyzer.compile(parse(`${keyword} ${selectAll(schema, root, 8)}`)).estimate().cost;
  });
}

function selectAll(schema: GraphQLSchema, type: GraphQLNamedType, depth: number): string {
  if (isAbstractType(type)) {
    const each = schema.getPossibleTypes(type).map((one) => `... on ${one.name} ${selectAll(schema, one, depth)}`);
    return `{ ${each.join(' ')} }`;
  }
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    if (isCompositeType(named) && depth === 0) return [];
    const given = field.args.filter(isRequiredArgument).map(({ name, type: of }) => `${name}: ${literalOf(of)}`);
    const below = selectAll(schema, named, depth - 1);
    return [`${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${below}`];
  });
  return `{ __typename ${fields.join(' ')} }`;
}

function literalOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literalOf(type.ofType);
  if (isListType(type)) return `[${literalOf(type.ofType)}]`;
  if (!isInputObjectType(type)) return '5';
  const members = Object.values(type.getFields()).map(({ name, type: of }) => `${name}: ${literalOf(of)}`);
  return `{ ${members.join(', ')} }`;
}

describe('lists that are sized by a field above them', () => {
  it.each([
    ['a page argument of the field that returns its object', 'type Query { list(limit: Int!): C }'],
    ['a page argument one level further up', 'type Query { list(limit: Int!): W } type W { c: C }'],
    ['a page argument three levels up', 'type Query { list(limit: Int!): V } type V { w: W } type W { c: C }'],
    [
      'page arguments of every field that leads to the object',
      'type Query { a(first: Int!): W b(options: O!): C } input O { take: Int! } type W { c: C }',
    ],
    [
      'a page argument through a union',
      'type Query { list(limit: Int!): U } union U = C | X type X { message: String }',
    ],
    [
      'a page argument through an interface',
      'type Query { list(limit: Int!): I } interface I { items: [P] } type D implements I { items: [P] }',
    ],
    ['an annotation', 'type Query { list: C @listSize(assumedSize: 3, sizedFields: ["items"]) }'],
    [
      'a list of inputs of a mutation',
      'type Query { a: Int } type Mutation { add(ps: [In!]!): C } input In { n: Int }',
    ],
  ])('a list with an inherited size on every path is no guess, and the default list size has no effect: %s', (_, sdl) => {
    expect(warnedOf(sdl)).toEqual([]);
    expect(pricesOfAll(sdl, 50)).toEqual(pricesOfAll(sdl, 10));
  });

  it.each([
    ['another field returns its object', 'type Query { list(limit: Int!): C other: C }', ['C.items']],
    [
      'its object is returned deeper than three levels',
      'type Query { list(limit: Int!): T } type T { v: V } type V { w: W } type W { c: C }',
      ['C.items'],
    ],
    [
      'its object is an item of another list',
      'type Query { list(limit: Int!): [C] @listSize(slicingArguments: ["limit"]) }',
      ['C.items'],
    ],
    [
      'its argument is optional, which makes the field above a guess',
      'type Query { list(limit: Int): C }',
      ['Query.list'],
    ],
  ])('a list is a guess, and its price depends on the default list size, if %s', (_, sdl, coordinates) => {
    expect(warnedOf(sdl)).toEqual(coordinates);
    expect(pricesOfAll(sdl, 50)).not.toEqual(pricesOfAll(sdl, 10));
  });

  it('the warning names the fields below which a list has no size, with an annotation for exactly those fields', () => {
    const sdl = 'type Query { list(limit: Int!): C other: C third: C }';
    const [warning] = analyzerOf(sdl).check();
    expect(warning?.message).toContain('this list has no known size below Query.other and 1 more field');
    expect(warning?.message).toContain('add @listSize(assumedSize: 10, sizedFields: ["items"]) to Query.other');
    expect(entriesOf(sdl)).toEqual({ 'C.items': { defaultSize: 10 } });
    const overlay = { 'C.items': { defaultSize: 4 } };
    expect(warnedOf(sdl, { overlay })).toEqual([]);
    expect(costOf(sdl, '{ list(limit: 1000) { items { n } } other { items { n } } }', { overlay })).toBe(1001 + 5);
  });
});

describe('groups of guesses', () => {
  const sdl = `
    type Query { a: A b: B things: [P] page(first: Int): PConnection pages(first: Int): QConnection }
    type A { errors: [Oops] userErrors: [Oops] tags: [P] }
    type B { errors: [Oops] userErrors: [Oops] tags(first: Int!): [P] }
    type PConnection { nodes: [P] } type QConnection { nodes: [P] }`;

  it('a group contains the lists of one name and the pattern that gives their size, and larger groups come first', () => {
    expect(
      analyzerOf(sdl)
        .guesses()
        .map(({ kind, name, guesses, entries }) => [kind, name, guesses.length, entries]),
    ).toEqual([
      ['ALWAYS', 'errors', 2, { '*.errors': { assumedSize: 1 } }],
      ['ALWAYS', 'userErrors', 2, { '*.userErrors': { assumedSize: 1 } }],
      ['SOMETIMES', 'nodes', 2, { '*Connection.nodes': { defaultSize: 10 } }],
      ['ALWAYS', 'tags', 1, { 'A.tags': { defaultSize: 10 } }],
      ['ALWAYS', 'things', 1, { 'Query.things': { defaultSize: 10 } }],
    ]);
  });

  it('the suggested entries do not change lists whose size comes from an annotation, an argument or a page', () => {
    const mixed = `
      type Query { a: A b: B d: D e(limit: Int!): E }
      type A { tags: [P] } type B { tags: [P] } type D { tags(first: Int!): [P] } type E { tags: [P] }`;
    expect(entriesOf(mixed)).toEqual({ '*.tags': { defaultSize: 10 } });
    const query = '{ d { tags(first: 50) { n } } e(limit: 60) { tags { n } } a { tags { n } } }';
    expect(costOf(mixed, query, { overlay: { '*.tags': { defaultSize: 3 } } })).toBe(1 + 50 + 1 + 60 + 1 + 3);
  });

  it.each([
    ['lists without and with arguments', sdl],
    [
      'incomplete annotations',
      'type Query { a: C @listSize(sizedFields: ["items"]) b: [P] @listSize(slicingArguments: []) }',
    ],
    [
      'an annotation with an optional argument',
      'type Query { a(n: Int): C @listSize(slicingArguments: ["n"], sizedFields: ["items"]) }',
    ],
    [
      'multipliers',
      'directive @complexity(value: Int, multipliers: [String!]) on FIELD_DEFINITION type Query { a(n: Int): [P] @complexity(value: 2, multipliers: ["n"]) }',
    ],
    [
      'an interface',
      'type Query { i: I } interface I { ps: [P] } type D implements I { ps: [P] } type E implements I { ps: [P] }',
    ],
    [
      'a list of inputs in a query, which may be a filter',
      'type Query { a(input: F): [P] } input F { things: [In!] } input In { n: Int }',
    ],
  ])('no guesses remain if the overlay contains the suggested entries: %s', (_, of) => {
    expect(analyzerOf(of).guesses()).not.toEqual([]);
    expect(warnedOf(of, { overlay: entriesOf(of) })).toEqual([]);
  });

  it('a group lists entries for single coordinates if the overlay already contains its pattern', () => {
    const overlay = { '*.errors': { weight: 5 }, 'A.errors': { weight: 2 } };
    const group = analyzerOf(sdl, { overlay })
      .guesses()
      .find(({ name }) => name === 'errors');
    expect(group).toMatchObject({
      entries: { 'B.errors': { assumedSize: 1 } },
      taken: { 'A.errors': { assumedSize: 1 } },
    });
  });
});

describe('defaultSize', () => {
  const sdl =
    'type Query { ps(first: Int): [P] es: [P] @listSize(assumedSize: 7) matrix: [[P]] c(first: Int): C one: P }';

  it('defaultSize is the size of a list if no annotation, argument or page gives one', () => {
    const overlay = { '*.*': { defaultSize: 3 } };
    expect(costOf(sdl, '{ ps { n } }', { overlay })).toBe(3);
    expect(costOf(sdl, '{ ps(first: 40) { n } }', { overlay })).toBe(40);
    expect(costOf(sdl, '{ es { n } }', { overlay })).toBe(7);
    expect(costOf(sdl, '{ matrix { n } }', { overlay })).toBe(9);
    expect(costOf(sdl, '{ c { items { n } } }', { overlay })).toBe(1 + 3);
    expect(costOf(sdl, '{ c(first: 5) { items { n } } }', { overlay })).toBe(1 + 5);
  });

  it('defaultSize is an assumed size in explanations and the field list, and the size in a manifest', () => {
    const analyzer = analyzerOf(sdl, { overlay: { 'Query.ps': { defaultSize: 3 }, 'C.items': { defaultSize: 4 } } });
    const document = parse('query ($n: Int) { ps(first: $n) { n } c(first: $n) { items { n } } }');
    const [ps, c] = analyzer.compile(document).explain().fields;
    expect(ps).toMatchObject({ multiplier: 3, multiplierFrom: { kind: 'assumedSize' } });
    expect(c?.fields[0]).toMatchObject({ multiplier: 4, multiplierFrom: { kind: 'assumedSize' } });
    expect(analyzer.fields().find(({ coordinate }) => coordinate === 'C.items')).toMatchObject({ assumedSize: 4 });
    const price = createManifestPrices(analyzer.manifest([{ document }]).manifest);
    for (const variables of [{}, { n: 6 }, { n: null }, { n: -1 }]) {
      expect(price({ document: print(document), variables })).toBe(analyzer.compile(document).estimate(variables).cost);
    }
    expect(price({ document: print(document) })).toBe(3 + 1 + 4);
  });

  it('defaultSize is an error on a field that returns no list, or with an invalid value', () => {
    const problemsOf = (overlay: object) =>
      analyzerOf(sdl, { overlay: overlay as never })
        .check()
        .filter(({ severity }) => severity === 'error')
        .map(({ coordinate, message }) => `${coordinate}: ${message}`);
    expect(problemsOf({ 'Query.one': { defaultSize: 3 } })).toEqual([
      'Query.one: defaultSize on a field that returns no list: put it on the list',
    ]);
    expect(problemsOf({ 'Query.ps': { defaultSize: -1 } })).toEqual([
      'Query.ps: defaultSize: expected a whole number of 0 or more, got -1',
    ]);
  });
});

describe('list arguments whose length has no price', () => {
  const fix =
    /the length of "emails" has no price.* perElement: true.*"Mutation\.invite\(emails:\)": \{ weight: 1, perElement: true \}/;
  const withInvite = (invite: string) =>
    analyzerOf(`type Query { a: Int } type Mutation { ${invite} } type Sent { ok: [Boolean!] }`)
      .check()
      .map(({ coordinate, message }) => `${coordinate}: ${message}`);

  it.each([
    'invite(emails: [String!]!): [Boolean!]! @cost(weight: "1") @listSize(slicingArguments: ["emails"])',
    'invite(emails: [String!]!): Sent @listSize(slicingArguments: ["emails"], sizedFields: ["ok"])',
  ])('the check reports a list argument whose length has no price, with the fix: %s', (invite) => {
    expect(withInvite(invite)).toEqual([expect.stringMatching(fix)]);
  });

  it('the check reports a list argument whose length has no price in an overlay', () => {
    const overlay = { 'Mutation.invite': { slicingArguments: ['emails'] } };
    const problems = analyzerOf('type Query { a: Int } type Mutation { invite(emails: [String!]!): [Boolean!]! }', {
      overlay,
    }).check();
    expect(problems).toEqual([expect.objectContaining({ message: expect.stringMatching(fix) })]);
  });

  it.each([
    ['its items cost something', 'invite(emails: [String!]!): [P!]! @listSize(slicingArguments: ["emails"])'],
    ['the argument is a number', 'invite(first: Int!): [Boolean!]! @listSize(slicingArguments: ["first"])'],
  ])('the check does not report a list argument if %s', (_, invite) => {
    expect(withInvite(invite)).toEqual([]);
  });

  it('the check does not report a list argument if the returned scalars have a weight', () => {
    const sdl = `scalar Mail @cost(weight: "2") type Query { a: Int }
      type Mutation { invite(emails: [String!]!): [Mail!]! @listSize(slicingArguments: ["emails"]) }`;
    expect(warnedOf(sdl)).toEqual([]);
  });
});
