import { readFileSync } from 'node:fs';
import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { reportAnnotations } from '../../src/cost/check/report-annotations.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';
import { costTypeDefs } from '../../src/entry/cost.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const schema = buildSchema(`
  scalar PositiveInt
  scalar Token
  scalar _Any
  union _Entity = User
  type Query {
    users(first: Int, last: Int): [User!]!
    limited(limit: Int!): [User]
    defaulted(take: Int = 25): [User]
    sized(pageSize: Float): [User]
    counted(count: PositiveInt): [User]
    byIds(ids: [ID!]): [User]
    _entities(representations: [_Any!]!): [_Entity]!
    other(amount: Int, first: String, limit: Token, ids: ID): [User]
    one(limit: Int): Profile
    connection(first: Int, last: Int): UserConnection
    paged(limit: Int): UserConnection
    grid(first: Int): [[User]]
    media: Media
    asked(input: Asked): [User]
    required(input: RequiredAsked!): [User]
    connected(page: Asked): UserConnection
    filtered(where: Filter): [User]
  }
  input Asked { first: Int limit: Int = 15 pagination: Asked filter: Filter name: String }
  input RequiredAsked { page: RequiredPage! }
  input RequiredPage { take: Int! }
  input Filter { count: Int ids: [ID!] first: String users: Asked }
  type UserConnection { edges: [UserEdge] nodes: [User!]! totalCount: Int }
  type UserEdge { node: User }
  interface Media { parts(first: Int): [User] }
  type Film implements Media { parts(first: Int): [User] }
  type User { id: ID friends: [User] }
  type Profile { id: ID names: [String] }
`);

const costOf = (query: string, variables = {}, options?: CostAnalyzerOptions) =>
  createCostAnalyzer(schema, { minimumCost: 0, ...options })
    .compile(parse(query))
    .estimate(variables).cost;

describe('lists without annotations', () => {
  it.each([
    ['{ users(first: 50000) { id } }', {}, 50_000],
    ['{ users(last: 7) { id } }', {}, 7],
    ['{ users(first: 3, last: 7) { id } }', {}, 7],
    ['query ($n: Int) { users(first: $n) { id } }', { n: 50_000 }, 50_000],
    ['query ($n: Int = 40) { users(first: $n) { id } }', {}, 40],
    ['query ($n: Int) { users(first: $n) { id } }', {}, 10],
    ['query ($n: Int) { users(first: $n) { id } }', { n: null }, 10],
    ['{ users(first: null) { id } }', {}, 10],
    ['{ users { id } }', {}, 10],
    ['{ users(first: 0) { id } }', {}, 0],
    ['{ users(first: -5) { id } }', {}, 10],
    ['{ limited(limit: 70) { id } }', {}, 70],
    ['{ defaulted { id } }', {}, 25],
    ['{ sized(pageSize: 30) { id } }', {}, 30],
    ['{ counted(count: 20) { id } }', {}, 20],
    ['{ byIds(ids: ["a", "b"]) { id } }', {}, 2],
    ['query ($ids: [ID!]) { byIds(ids: $ids) { id } }', { ids: ['a', 'b', 'c'] }, 3],
    ['{ byIds { id } }', {}, 10],
    ['query ($r: [_Any!]!) { _entities(representations: $r) { ... on User { id } } }', { r: [{}, {}, {}] }, 3],
    ['{ grid(first: 3) { id } }', {}, 30],
    ['{ media { ... on Film { parts(first: 4) { id } } } }', {}, 5],
    ['{ users(first: 100) { friends { id } } }', {}, 1100],
    ['{ asked(input: { first: 5000, limit: null }) { id } }', {}, 5000],
    ['{ asked(input: { first: 5000 }) { id } }', {}, 5000],
    ['{ asked(input: {}) { id } }', {}, 15],
    ['{ asked { id } }', {}, 10],
    ['query ($n: Int) { asked(input: { limit: $n }) { id } }', { n: 300 }, 300],
    ['query ($i: Asked) { asked(input: $i) { id } }', { i: { pagination: { limit: 400 } } }, 400],
    ['query ($i: Asked = { first: 70 }) { asked(input: $i) { id } }', {}, 70],
    ['{ required(input: { page: { take: 50 } }) { id } }', {}, 50],
  ])('a list without annotations has the size that its arguments give: %s with %j', (query, variables, cost) => {
    expect(costOf(query, variables)).toBe(cost);
  });

  it.each([
    ['{ connection(first: 500) { edges { node { id } } } }', 1 + 500 + 500],
    ['{ connection(last: 4) { nodes { id } totalCount } }', 1 + 4],
    ['{ connection { nodes { id } } }', 1 + 10],
    ['{ paged(limit: 300) { nodes { id } } }', 1 + 300],
    ['{ connected(page: { first: 30 }) { edges { node { id } } } }', 1 + 30 + 30],
  ])('`edges` and `nodes` of a Relay connection have the requested size: %s', (query, cost) => {
    expect(costOf(query)).toBe(cost);
  });

  it.each([
    ['members of a filter', '{ filtered(where: { count: 500, ids: [], first: "9", users: { first: 9 } }) { id } }', 10],
    ['an argument with another name', '{ other(amount: 500) { id } }', 10],
    ['a string', '{ other(first: "500") { id } }', 10],
    ['a scalar that is not a number', '{ other(limit: 500) { id } }', 10],
    ['a single ID', '{ other(ids: "a") { id } }', 10],
    ['a field that leads to no list of objects', '{ one(limit: 500) { id names } }', 1],
  ])('a list takes no size from %s', (_, query, cost) => {
    expect(costOf(query)).toBe(cost);
  });

  it('a list keeps the default size if an option disables one argument or all', () => {
    const users = '{ users(first: 50) { id } }';
    expect(costOf(users, {}, { inferListSizes: false })).toBe(10);
    expect(costOf(users, {}, { inferListSizes: { first: false } })).toBe(10);
    expect(costOf('{ users(first: 50, last: 20) { id } }', {}, { inferListSizes: { first: false } })).toBe(20);
    expect(costOf('{ limited(limit: 50) { id } }', {}, { inferListSizes: { first: false } })).toBe(50);
    expect(costOf('{ connection(first: 50) { nodes { id } } }', {}, { inferConnections: false })).toBe(11);
    expect(costOf('{ connection(first: 50) { nodes { id } } }', {}, { inferListSizes: false })).toBe(51);
    expect(() => costOf(users, {}, { inferListSizes: { pagesize: true } as never })).toThrow(
      'inferListSizes.pagesize: unknown option; did you mean pageSize?',
    );
    expect(() => costOf(users, {}, { inferListSizes: { first: 'no' } as never })).toThrow(
      'inferListSizes.first: expected true or false, got "no"',
    );
  });

  it('annotations, also of an interface or an overlay, have precedence over inferred sizes', () => {
    const annotated = buildSchema(`${directives}
      interface Media { parts(first: Int): [User] @listSize(assumedSize: 3) }
      type Film implements Media { parts(first: Int): [User] }
      type Query { film: Film users(first: Int): [User] @listSize(assumedSize: 2) open(first: Int): [User] }
      type User { id: ID }
    `);
    const analyzer = createCostAnalyzer(annotated, { overlay: { 'Query.open': { listSize: { assumedSize: 6 } } } });
    const of = (query: string) => analyzer.compile(parse(query)).estimate().cost;
    expect(of('{ users(first: 50) { id } }')).toBe(2);
    expect(of('{ film { parts(first: 50) { id } } }')).toBe(4);
    expect(of('{ open(first: 50) { id } }')).toBe(6);
  });

  it.each([
    'ibm',
    'apollo',
  ] as const)('a list without annotations has the default size in profile %s, unless inferListSizes is true', (profile) => {
    expect(costOf('{ users(first: 50) { id } }', {}, { profile, inferListSizes: true })).toBeGreaterThan(49);
    expect(costOf('{ users(first: 50) { id } }', {}, { profile })).toBeLessThan(15);
  });
});

describe('check of lists without annotations', () => {
  const warningsOf = (options?: CostAnalyzerOptions) =>
    createCostAnalyzer(schema, options)
      .check()
      .map(({ coordinate, message }) => `${coordinate}: ${message}`);

  it('the check lists fields that always or sometimes have the default size, with the annotation to add', () => {
    expect(warningsOf({ defaultListSize: 20 }).slice(0, 5)).toEqual([
      'Query.other: this list has no known size: the default list size (20) is used; add @listSize(assumedSize: 20) with its maximum length',
      'Query.filtered: this list has no known size: the default list size (20) is used; add @listSize(assumedSize: 20) with its maximum length',
      'User.friends: this list has no known size: the default list size (20) is used; add @listSize(assumedSize: 20) with its maximum length',
      'Query.users: if none of first, last is given, the default list size (20) is used; add @listSize(assumedSize: 20, slicingArguments: ["first","last"], requireOneSlicingArgument: false) with the maximum length in that case',
      'Query.sized: if pageSize is not given, the default list size (20) is used; add @listSize(assumedSize: 20, slicingArguments: ["pageSize"]) with the maximum length in that case',
    ]);
  });

  it('the suggested annotation rejects no call that was valid before, with several arguments or none', () => {
    const types = 'type User { id: ID }';
    const open = 'i(ids: [ID!], first: Int): [User]';
    for (const profile of ['tokens', 'ibm'] as const) {
      const options = { profile, inferListSizes: true };
      const [warning] = createCostAnalyzer(buildSchema(`type Query { ${open} } ${types}`), options).check();
      const annotation = warning!.message.match(/@listSize\(.*?\)/)![0];
      const annotated = buildSchema(`${directives} type Query { ${open} ${annotation} } ${types}`);
      const analyzer = createCostAnalyzer(annotated, options);
      expect(analyzer.check()).toEqual([]);
      for (const args of ['', '(ids: ["a"], first: 3)', '(first: 3)']) {
        expect(() => analyzer.compile(parse(`{ i${args} { id } }`)).estimate(), args).not.toThrow();
      }
    }
  });

  it('the check names input object paths that size a list, and recognizes required ones', () => {
    const asked = 'slicingArguments: ["input.first","input.limit","input.pagination.first","input.pagination.limit"]';
    expect(warningsOf()).toContainEqual(expect.stringContaining(`Query.asked: if none of input.first, input.limit`));
    expect(warningsOf()).toContainEqual(expect.stringContaining(asked));
    expect(warningsOf()).not.toContainEqual(expect.stringContaining('Query.required'));
  });

  it('the check reports no list that has a required argument or gets its size from a page', () => {
    const coordinates = createCostAnalyzer(schema)
      .check()
      .map(({ coordinate }) => coordinate);
    for (const silent of ['Query.limited', 'Query.defaulted', 'Query._entities', 'UserConnection.edges', 'Query.one']) {
      expect(coordinates).not.toContain(silent);
    }
  });
});

describe('list sizes without size arguments', () => {
  const annotated = buildSchema(`${directives}
    type Query {
      plain(first: Int, last: Int): [User] @listSize(slicingArguments: ["first", "last"])
      assumed(first: Int): [User] @listSize(slicingArguments: ["first"], assumedSize: 33)
      strict(first: Int): [User] @listSize(slicingArguments: ["first"], requireOneSlicingArgument: true)
    }
    type User { id: ID }
  `);
  const of = (query: string, options?: CostAnalyzerOptions) =>
    createCostAnalyzer(annotated, options).compile(parse(query)).estimate().cost;

  it('without size arguments, the assumed or default size applies, unless the annotation requires an argument', () => {
    expect(of('{ plain { id } }')).toBe(10);
    expect(of('{ plain(first: null) { id } }')).toBe(10);
    expect(of('{ assumed { id } }')).toBe(33);
    expect(() => of('{ strict { id } }')).toThrow('Query.strict requires exactly one of first');
    expect(() => of('{ plain(first: 1, last: 2) { id } }')).toThrow('Query.plain accepts at most one of first, last');
    const coordinates = createCostAnalyzer(annotated)
      .check()
      .map(({ coordinate }) => coordinate);
    expect(coordinates).toEqual(['Query.plain']);
  });

  it.each([
    'ibm',
    'apollo',
  ] as const)('missing size arguments are an error in profile %s, as in the draft of the cost specification', (profile) => {
    for (const field of ['plain', 'assumed', 'strict']) {
      expect(() => of(`{ ${field} { id } }`, { profile })).toThrow(`Query.${field} requires exactly one of`);
    }
  });
});

describe('incomplete list sizes', () => {
  const half = buildSchema(`${directives}
    type Query {
      bare(first: Int): [User] @listSize
      optional(first: Int): [User] @listSize(requireOneSlicingArgument: false)
      required(first: Int): [User] @listSize(requireOneSlicingArgument: true)
      empty(amount: Int): [User] @listSize(slicingArguments: [])
      connection(first: Int, last: Int): Users @listSize(sizedFields: ["edges", "nodes"])
      pages(first: Int): Pages @listSize(sizedFields: ["edges"])
      counted: [Int] @listSize
      counts: Counts @listSize(sizedFields: ["all"])
      whole(first: Int!): [User] @listSize(slicingArguments: ["first"])
      media: Media
    }
    interface Media { parts: [User] @listSize }
    type Film implements Media { parts: [User] }
    type Users { edges: [Edge] nodes: [User] }
    type Pages { edges: [Edge] @listSize(assumedSize: 7) }
    type Counts { all: [Int] }
    type Edge { node: User }
    type User { id: ID }
  `);
  const warningsOf = (options?: CostAnalyzerOptions) =>
    createCostAnalyzer(half, options)
      .check()
      .map(({ severity, coordinate, message }) => `${severity} ${coordinate}: ${message}`);
  const half10 =
    '@listSize has neither an assumedSize nor slicingArguments: the default list size (10) is used in every operation';
  const most = 'with the maximum length';

  it('an incomplete @listSize is reported with the intended annotation, because the default size applies', () => {
    const analyzer = createCostAnalyzer(half);
    for (const name of ['bare', 'optional', 'required']) {
      expect(analyzer.compile(parse(`{ ${name}(first: 500) { id } }`)).estimate().cost).toBe(10);
    }
    const first = '@listSize(assumedSize: 10, slicingArguments: ["first"])';
    expect(warningsOf()).toEqual([
      `warning Query.bare: ${half10}; write ${first} ${most}`,
      `warning Query.optional: ${half10}; write ${first} ${most}`,
      `warning Query.required: ${half10}; write ${first} ${most}`,
      `warning Query.empty: ${half10}; write @listSize(assumedSize: 10) ${most}`,
      expect.stringContaining(
        `warning Query.connection: ${half10}; write @listSize(assumedSize: 10, slicingArguments: ["first","last"]`,
      ),
      `warning Media.parts: ${half10}; write @listSize(assumedSize: 10) ${most}`,
    ]);
  });

  it('an incomplete list size in an overlay is reported', () => {
    expect(
      warningsOf({ overlay: { 'Query.whole': { listSize: { requireOneSlicingArgument: false } } } }),
    ).toContainEqual(expect.stringContaining(`warning Query.whole: ${half10}`));
  });
});

describe('definitions of the annotations', () => {
  it('costTypeDefs equals the directives file of the package', () => {
    expect(costTypeDefs.trim()).toBe(directives.trim());
    const annotated = buildSchema(`${costTypeDefs} type Query { a: Int @cost(weight: "3") }`);
    expect(createCostAnalyzer(annotated).compile(parse('{ a }')).estimate().cost).toBe(3);
  });
});

describe('warnings at the start', () => {
  const startsWith = (fields: string, options: CostAnalyzerOptions = {}) => {
    const warnings: string[] = [];
    const logger = { warn: (message: unknown) => void warnings.push(String(message)) };
    const started = buildSchema(`${directives} type Query { ${fields} } type User { id: ID }`);
    reportAnnotations(createCostAnalyzer(started, options).check(), logger);
    return warnings;
  };

  it('one warning at the start lists at most 20 guessed lists, with the annotations to add', () => {
    const names = Array.from({ length: 25 }, (_, index) => `list${index}: [User]`);
    const [warning, ...others] = startsWith(names.join(' '));
    expect(others).toEqual([]);
    const lines = warning!.split('\n');
    expect(lines).toHaveLength(1 + 20 + 1);
    expect(lines[1]).toMatch(/^ {2}Query\.list0: .*add @listSize\(assumedSize: 10\)/);
    expect(lines.at(-1)).toBe('  and 5 more: tollgate.check() and tollgate cost --check-schema list them all');
    expect(startsWith('list: [User]')[0]).not.toContain('more:');
    expect(startsWith('one: User list(first: Int!): [User]')).toEqual([]);
  });

  it('the start reports ineffective overlay entries separately from guesses', () => {
    const overlay = { 'Query.lst': { cost: 2 }, 'Query.whole': { listSize: { requireOneSlicingArgument: false } } };
    const listed = startsWith('list: [User] whole(first: Int): [User]', { overlay, overlayMistakes: 'warning' });
    expect(listed.map((text) => text.split('\n').map((line) => line.split(':', 1)[0]))).toEqual([
      ['Overlay entries that do not fit the schema and have no effect', '  Query.lst'],
      ['Parts of the schema whose price is a guess', '  Query.list', '  Query.whole'],
    ]);
  });

  it('the start fails if an annotation is invalid', () => {
    expect(() => startsWith('list: [User] @listSize(slicingArguments: ["first"])')).toThrow(
      'Query.list: slicingArguments: unknown argument "first"',
    );
  });
});

describe('fields of the schema', () => {
  it('the list of fields shows which sizes come from argument names and which from annotations', () => {
    const schema = buildSchema(`
      ${directives}
      type Query {
        named(first: Int): [Item]
        annotated(first: Int): [Item] @listSize(slicingArguments: ["first"])
        connection(first: Int): Connection
        both: Both @listSize(sizedFields: ["nodes"], assumedSize: 5)
        again(first: Int): Both
        plain: [Item]
        one: Item
      }
      type Connection { nodes: [Item] }
      type Both { nodes: [Item] }
      type Item { id: ID }
    `);
    const listed = createCostAnalyzer(schema).fields();
    const inferred = listed.filter(({ isSizeInferred }) => isSizeInferred).map(({ coordinate }) => coordinate);
    expect(inferred).toEqual(['Connection.nodes', 'Query.named']);
    expect(listed.find(({ coordinate }) => coordinate === 'Both.nodes')).toMatchObject({ sizeSource: 'PARENT' });
  });
});
