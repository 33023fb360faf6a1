import { readFileSync } from 'node:fs';
import {
  buildSchema,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  parse,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const withDirectives = (sdl: string): GraphQLSchema => buildSchema(`${directives}\n${sdl}`);

const costOf = (schema: GraphQLSchema, query: string, options?: CostAnalyzerOptions): number =>
  createCostAnalyzer(schema, { minimumCost: 0, ...options })
    .compile(parse(query))
    .estimate().cost;

const Item = new GraphQLObjectType({
  name: 'Item',
  extensions: { cost: 4 },
  fields: { name: { type: GraphQLString, extensions: { cost: { weight: '2' } } }, other: { type: GraphQLString } },
});

function codeFirst(): GraphQLSchema {
  const first = { first: { type: GraphQLInt, extensions: { cost: 3 } } };
  return new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        items: { type: new GraphQLList(Item), args: first, extensions: { listSize: { slicingArguments: ['first'] } } },
        number: { type: Item, extensions: { complexity: 7 } },
        numbers: { type: new GraphQLList(Item), extensions: { complexity: 7, listSize: { assumedSize: 2 } } },
        paged: {
          type: new GraphQLList(Item),
          args: { count: { type: GraphQLInt, defaultValue: 5 } },
          extensions: {
            complexity: ({ args, childComplexity }: { args: { count: number }; childComplexity: number }) =>
              10 + args.count * childComplexity,
          },
        },
        silent: { type: Item, extensions: { complexity: () => undefined } },
        broken: {
          type: Item,
          extensions: {
            complexity: () => {
              throw new Error('no');
            },
          },
        },
        infinite: { type: Item, extensions: { complexity: () => Number.POSITIVE_INFINITY } },
        negative: { type: Item, extensions: { complexity: () => -5 } },
      },
    }),
  });
}

describe('a schema built in code', () => {
  it('extensions have the same effect as the directives', () => {
    expect(costOf(codeFirst(), '{ items(first: 2) { name } }')).toBe(3 + 2 * (4 + 2));
  });

  it('a numeric complexity is the cost of the call and counts once, and only the cost of the items is multiplied', () => {
    expect(costOf(codeFirst(), '{ number { name } }')).toBe(7 + 4 + 2);
    expect(costOf(codeFirst(), '{ numbers { name } }')).toBe(7 + 2 * (4 + 2));
  });

  it('a complexity function receives the cost of one item and returns the price of the whole field', () => {
    expect(costOf(codeFirst(), '{ paged(count: 3) { name } }')).toBe(10 + 3 * 6);
    expect(costOf(codeFirst(), '{ paged { name } }')).toBe(10 + 5 * 6);
    const plan = createCostAnalyzer(codeFirst()).compile(parse('query ($n: Int) { paged(count: $n) { name } }'));
    expect([plan.estimate({ n: 1 }).cost, plan.estimate({ n: 9 }).cost, plan.estimate({}).cost]).toEqual([16, 64, 40]);
    expect(plan.actual({ n: 9 }, { paged: [{ name: 'x' }, null] }).cost).toBe(64);
    expect(plan.actual({ n: 9 }, { paged: null }).cost).toBe(10);
  });

  it('the ordinary rules price a field whose complexity function returns nothing', () => {
    expect(costOf(codeFirst(), '{ silent { name } }')).toBe(6);
  });

  it('the result of a complexity function is limited to the range from zero to the maximum amount', () => {
    expect(costOf(codeFirst(), '{ infinite { name } }')).toBe(2 ** 31 - 1);
    expect(costOf(codeFirst(), '{ negative { name } number { other } }')).toBe(11);
  });

  it('a complexity function receives the type, the selection and a context, as in graphql-query-complexity', () => {
    type Given = {
      type: { name: string };
      node: { name: { value: string } };
      context: { user?: { isAdmin: boolean } };
    };
    const complexity = ({ type, node, context }: Given) =>
      context.user?.isAdmin ? 1 : type.name === 'A' && node.name.value === 'cost' ? 20 : 30;
    const fields = { cost: { type: GraphQLInt, extensions: { complexity } } };
    const A = new GraphQLObjectType({ name: 'A', fields });
    const B = new GraphQLObjectType({ name: 'B', fields });
    const either = new GraphQLUnionType({ name: 'Either', types: [A, B] });
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: { a: { type: A }, b: { type: B }, either: { type: either } },
    });
    const typed = new GraphQLSchema({ query });
    expect(costOf(typed, '{ a { cost } }')).toBe(1 + 20);
    expect(costOf(typed, '{ b { cost } }')).toBe(1 + 30);
    expect(costOf(typed, '{ either { ... on A { cost } ... on B { cost } } }')).toBe(1 + 30);
  });

  it('an operation is rejected if a complexity function throws, and the error names its field', () => {
    expect(() => costOf(codeFirst(), '{ broken { name } }')).toThrow(/complexity function of Query\.broken failed/);
  });
});

describe('overlays', () => {
  const foreign = buildSchema(`
    directive @hint(how: Int) on FIELD
    input Filter { deep: Boolean }
    type Query { search(text: String, filter: Filter): [Hit] }
    type Hit { title: String pages(first: Int): Pages }
    type Pages { edges: [Hit] nodes: [Hit] }
  `);
  const overlay = {
    'Query.search': { cost: 5, listSize: { assumedSize: 2 } },
    'Query.search(text:)': { cost: '3' },
    'Filter.deep': { cost: 11 },
    Hit: { cost: 2 },
    'Hit.pages': { listSize: { slicingArguments: ['first'], sizedFields: ['edges', 'nodes'] } },
    '@hint(how:)': { cost: 1 },
  };

  it('an overlay annotates a schema of another team', () => {
    expect(costOf(foreign, '{ search(text: "x", filter: { deep: true }) @hint(how: 1) { title } }', { overlay })).toBe(
      5 + 3 + 11 + 1 + 2 * 2,
    );
    expect(costOf(foreign, '{ search { pages(first: 4) { nodes { title } } } }', { overlay })).toBe(
      5 + 2 * (2 + 1 + 4 * 2),
    );
    expect(createCostAnalyzer(foreign, { overlay }).check()).toEqual([
      { severity: 'warning', coordinate: 'Hit.pages', message: expect.stringMatching(/^if first is not given/) },
    ]);
  });

  it('an overlay has precedence over the annotations of the schema', () => {
    const schema = withDirectives('type Query { a: Int @cost(weight: "3") }');
    expect(costOf(schema, '{ a }', { overlay: { 'Query.a': { cost: 9 } } })).toBe(9);
  });

  it('an overlay key that does not exist in the schema is an error', () => {
    const problems = createCostAnalyzer(foreign, { overlay: { 'Query.serch': { cost: 1 } } }).check();
    expect(problems).toContainEqual(expect.objectContaining({ severity: 'error', coordinate: 'Query.serch' }));
  });

  it('Relay connections need no overlay if connections are inferred', () => {
    const query = '{ search { pages(first: 4) { nodes { title } } } }';
    expect(costOf(foreign, query, { inferConnections: true })).toBe(10 * (1 + 1 + 4));
    expect(costOf(foreign, query)).toBe(10 * (1 + 1 + 4));
    expect(costOf(foreign, query, { inferConnections: false })).toBe(10 * (1 + 1 + 10));
  });
});

describe('lists below a page field without a size', () => {
  const schema = withDirectives(`
    type Query { page(first: Int): Page @listSize(slicingArguments: ["first"], sizedFields: ["items", "fixed"], requireOneSlicingArgument: false) }
    type Page { items(limit: Int): [T] @listSize(slicingArguments: ["limit"]), fixed: [T] @listSize(assumedSize: 50) }
    type T { a: Int }
  `);
  const EXAMPLES = [
    ['{ page { items(limit: 1000) { a } } }', 1000],
    ['{ page(first: null) { items(limit: 1000) { a } } }', 1000],
    ['{ page { fixed { a } } }', 50],
  ] as const;

  it.each(EXAMPLES)('%s costs 1 plus %i, also in profile apollo', (query, size) => {
    for (const options of [{}, { profile: 'apollo' as const }]) expect(costOf(schema, query, options)).toBe(1 + size);
  });

  it.each(EXAMPLES)('%s has a type cost of the root, the page and %i more in profile ibm', (query, size) => {
    const { typeCost, fieldCost } = createCostAnalyzer(schema, { profile: 'ibm' }).compile(parse(query)).estimate();
    expect([typeCost, fieldCost]).toEqual([2 + size, 2]);
  });

  it('a list without any size is rejected in profiles ibm and apollo, and has the default size in others', () => {
    const query = '{ page { items { a } } }';
    expect(costOf(schema, query)).toBe(11);
    for (const profile of ['ibm', 'apollo'] as const) {
      expect(() => costOf(schema, query, { profile })).toThrow('Page.items requires exactly one of limit');
    }
  });
});

describe('lists whose size a page field sets', () => {
  const schema = withDirectives(`
    type Query {
      page(first: Int): Page @listSize(slicingArguments: ["first"], sizedFields: ["items", "fixed", "plain"], requireOneSlicingArgument: false)
      assumed(first: Int): Page @listSize(slicingArguments: ["first"], assumedSize: 20, sizedFields: ["items", "fixed", "plain"], requireOneSlicingArgument: false)
      default(first: Int = 10): Page @listSize(slicingArguments: ["first"], sizedFields: ["items", "fixed", "plain"])
    }
    type Page {
      items(limit: Int): [T] @listSize(slicingArguments: ["limit"], requireOneSlicingArgument: false)
      fixed: [T] @listSize(assumedSize: 50)
      plain: [T]
    }
    type T { a: Int }
  `);
  const analyzer = createCostAnalyzer(schema, { minimumCost: 0 });
  const query = (page: string, list: string): string => `query ($n: Int, $m: Int) { ${page} { ${list} { a } } }`;

  it.each([
    ['page', 'items(limit: 1000)', {}, 1000],
    ['page', 'items(limit: $m)', { m: 1000 }, 1000],
    ['page(first: null)', 'items(limit: 1000)', {}, 1000],
    ['page(first: $n)', 'items(limit: 1000)', {}, 1000],
    ['page(first: $n)', 'items(limit: $m)', { n: null, m: 1000 }, 1000],
    ['page', 'items', {}, 10],
    ['page', 'fixed', {}, 50],
    ['page(first: $n)', 'fixed', {}, 50],
    ['page(first: $n)', 'plain', {}, 10],
    ['page(first: 5)', 'items(limit: 1000)', {}, 1000],
    ['page(first: 5)', 'items(limit: 3)', {}, 5],
    ['page(first: $n)', 'items(limit: $m)', { n: 5, m: 3 }, 5],
    ['page(first: $n)', 'items(limit: $m)', { n: 3, m: 5 }, 5],
    ['page(first: $n)', 'items(limit: $m)', { n: 3, m: null }, 3],
    ['page(first: 5)', 'fixed', {}, 5],
    ['page(first: $n)', 'fixed', { n: 5 }, 5],
    ['page(first: $n)', 'plain', { n: 5 }, 5],
    ['assumed', 'fixed', {}, 20],
    ['assumed', 'items(limit: 3)', {}, 20],
    ['assumed', 'items(limit: 30)', {}, 30],
    ['assumed(first: $n)', 'items(limit: $m)', { m: 30 }, 30],
    ['assumed(first: $n)', 'fixed', {}, 20],
    ['assumed(first: 0)', 'fixed', {}, 0],
    ['default', 'fixed', {}, 10],
    ['default(first: $n)', 'fixed', {}, 10],
    ['default', 'items(limit: 3)', {}, 10],
  ])('the list of %s { %s } with %j has size %i', (page, list, variables, size) => {
    const plan = analyzer.compile(parse(query(page, list)));
    expect(plan.estimate(variables).cost).toBe(1 + size);
    expect(plan.explain(variables).fields[0]!.fields[0]!.multiplier).toBe(size);
    expect(plan.estimate(variables).fields.map(({ calls }) => calls)).toEqual(size === 0 ? [1, 1] : [1, 1, size]);
  });

  it('a page size from the default of an argument is distinguished from an equal default list size', () => {
    const text = 'query ($n: Int) { default(first: $n) { fixed { a } } page(first: $n) { fixed { a } } }';
    expect(analyzer.compile(parse(text)).estimate({}).cost).toBe(1 + 10 + 1 + 50);
  });

  it('the explanation names the source of the list size', () => {
    const explain = (page: string, list: string, variables = {}) => {
      const { formula, fields } = analyzer.compile(parse(query(page, list))).explain(variables);
      return [formula, fields[0]!.fields[0]!.multiplierFrom];
    };
    const limit = { kind: 'variable', argument: 'limit', variable: '$m' };
    const first = { kind: 'variable', argument: 'first', variable: '$n' };
    expect(explain('page(first: $n)', 'items(limit: $m)', { m: 9 })).toEqual(['1 + max($n, $m)', limit]);
    expect(explain('page(first: $n)', 'items(limit: $m)', { n: 9, m: 9 })).toEqual(['1 + max($n, $m)', first]);
    expect(explain('page(first: 5)', 'items(limit: $m)', { m: 9 })).toEqual(['1 + max(5, $m)', limit]);
    expect(explain('page', 'fixed')).toEqual(['51', { kind: 'assumedSize' }]);
    expect(explain('assumed', 'items(limit: 2)')).toEqual(['21', { kind: 'assumedSize' }]);
    expect(explain('page', 'plain')).toEqual(['11', { kind: 'fallback' }]);
  });

  it('in the profile github, which counts connections, each returned item of a list is a node', () => {
    const github = createCostAnalyzer(schema, { profile: 'github' });
    const nodes = (page: string, list: string, length: number) => {
      const plan = github.compile(parse(query(page, list)));
      const { data } = { data: { page: { [list.split('(')[0]!]: Array.from({ length }, () => ({ a: 1 })) } } };
      return [plan.estimate().nodes, plan.actual({}, data).nodes];
    };
    expect(nodes('page', 'fixed', 50)).toEqual([50, 50]);
    expect(nodes('page(first: 60)', 'fixed', 60)).toEqual([60, 60]);
    // The list is a connection of its own. So the page counts its own size in addition to that of
    // the list: `first`, or the default size, ten.
    expect(nodes('page', 'items(limit: 1000)', 1000)).toEqual([1010, 1000]);
    expect(nodes('page(first: 100)', 'items', 100)).toEqual([200, 100]);
  });
});

describe('annotations on interfaces', () => {
  const schema = withDirectives(`
    interface Shape { area: Int @cost(weight: "6") parts(first: Int): [Shape] @listSize(slicingArguments: ["first"]) }
    type Circle implements Shape { area: Int parts(first: Int): [Shape] }
    type Cube implements Shape { area: Int @cost(weight: "1") parts(first: Int): [Shape] @listSize(assumedSize: 7) }
    type Query { circle: Circle cube: Cube shape: Shape }
  `);

  it('an interface annotates the fields of its implementers that have no annotation of their own', () => {
    expect(costOf(schema, '{ circle { area parts(first: 2) { __typename } } }')).toBe(1 + 6 + 2);
    expect(costOf(schema, '{ cube { area parts(first: 2) { __typename } } }')).toBe(1 + 1 + 7);
    expect(costOf(schema, '{ shape { area parts(first: 2) { __typename } } }')).toBe(1 + 6 + 2);
  });
});

describe('weights', () => {
  it('weights may be integers, strings or fractions, and the cost is rounded up once', () => {
    const schema = withDirectives(
      'type Query { a: Int @cost(weight: "0.1") b: Int @cost(weight: "2.5") c: [Int] @cost(weight: " 3 ") }',
    );
    expect(costOf(schema, '{ a }')).toBe(1);
    expect(costOf(schema, '{ a b: a c: a }')).toBe(1);
    expect(costOf(schema, `{ ${Array.from({ length: 30 }, (_, i) => `a${i}: a`).join(' ')} }`)).toBe(3);
    expect(costOf(schema, '{ a b c }')).toBe(6);
  });

  it('a weight on a type extension counts', () => {
    expect(
      costOf(withDirectives('type Query { a: A } type A { b: Int } extend type A @cost(weight: "8")'), '{ a { b } }'),
    ).toBe(8);
  });

  it('the weight of a root type replaces the root weight of the profile', () => {
    const schema = withDirectives('type Query { a: Int } type Mutation @cost(weight: "3") { m: Int }');
    expect(costOf(schema, 'mutation { m }')).toBe(3);
  });

  it('values inside a custom scalar have no weight', () => {
    const schema = withDirectives(`
      scalar JSON
      input In { json: JSON a: Int @cost(weight: "5") }
      type Query { q(in: In): Int }
    `);
    expect(costOf(schema, '{ q(in: { json: { a: 1, b: [{ a: 2 }] } }) }')).toBe(0);
    expect(costOf(schema, '{ q(in: { a: 1 }) }')).toBe(5);
  });
});

describe('the check of a schema', () => {
  const problemsOf = (sdl: string) => createCostAnalyzer(withDirectives(sdl)).check();

  it.each([
    ['an unknown slicing argument', 'a(n: Int): [Int] @listSize(slicingArguments: ["m"])', /unknown argument "m"/],
    ['a path that leads nowhere', 'a(n: In): [Int] @listSize(slicingArguments: ["n.gone"])', /no input field "gone"/],
    [
      'a slicing argument that is not a number',
      'a(n: String): [Int] @listSize(slicingArguments: ["n"])',
      /neither a number nor a list/,
    ],
    ['a sized field that is not a list', 'a: One @listSize(sizedFields: ["one"])', /One\.one is not a list/],
    ['a sized field that does not exist', 'a: One @listSize(sizedFields: ["gone"])', /no field "gone"/],
    ['a weight that is not a number', 'a: Int @cost(weight: "much")', /expected a number, got "much"/],
    ['a list size on a field without a list', 'a: Int @listSize(assumedSize: 2)', /returns no list/],
    ['a negative assumed size', 'a: [Int] @listSize(assumedSize: -2)', /whole number of 0 or more, got -2/],
  ])('the schema check reports %s with its coordinate', (_, field, message) => {
    const problems = problemsOf(`type Query { ${field} } type One { one: Int } input In { n: Int }`);
    expect(problems).toEqual([{ severity: 'error', coordinate: 'Query.a', message: expect.stringMatching(message) }]);
  });

  it('the schema check warns about each list of unknown size once, with its own coordinate', () => {
    const problems = problemsOf('type Query { a: [One] b: [One] c: [Int] d: One } type One { ones: [One!]! }');
    const message = expect.stringMatching(/this list has no known size/);
    expect(problems).toEqual(
      ['Query.a', 'Query.b', 'One.ones'].map((coordinate) => ({ severity: 'warning', coordinate, message })),
    );
  });

  const abstract = `
    interface Media @cost(weight: "2") { id: ID }
    type Book implements Media { id: ID }
    union Result @cost(weight: "much") = Book
    input Filter { exact: Boolean }
    extend input Filter @cost(weight: "4")
    type Query { media: Media result(filter: Filter): Result }
  `;
  const countsNowhere = [
    { severity: 'error', coordinate: 'Media', message: expect.stringMatching(/interface has no effect/) },
    { severity: 'error', coordinate: 'Result', message: expect.stringMatching(/union has no effect/) },
    { severity: 'error', coordinate: 'Filter', message: expect.stringMatching(/input type has no effect/) },
  ];

  it('the schema check reports weights on interfaces, unions and input types, which have no effect', () => {
    const anywhere = 'directive @cost(weight: String!) on INTERFACE | UNION | INPUT_OBJECT';
    expect(createCostAnalyzer(buildSchema(`${anywhere}\n${abstract}`)).check()).toEqual(countsNowhere);
    // Other tools may build a schema without a check of the locations of directives.
    expect(createCostAnalyzer(buildSchema(abstract, { assumeValidSDL: true })).check()).toEqual(countsNowhere);
  });

  it('the schema check reports ineffective overlay weights as such, not as unknown coordinates', () => {
    const bare = buildSchema(abstract.replaceAll(/@cost\(.*?\)/g, '').replace('extend input Filter', ''));
    const overlay = { Media: { cost: 2 }, Result: { cost: 3 }, Filter: { cost: 4 } };
    expect(createCostAnalyzer(bare).check()).toEqual([]);
    expect(createCostAnalyzer(bare, { overlay }).check()).toEqual(
      countsNowhere.map((problem) => ({ ...problem, overlayKey: problem.coordinate })),
    );
  });

  it('the schema check finds no errors in a correct schema', () => {
    const demo = readFileSync(new URL('../../packages/platform/schema/demo.graphql', import.meta.url), 'utf8');
    expect(problemsOf(demo).filter((problem) => problem.severity === 'error')).toEqual([]);
  });
});

describe('the check of a schema that is built in code', () => {
  const problemsOf = (extensions: Record<string, unknown>, ofType: Record<string, unknown> = {}) => {
    const Priced = new GraphQLObjectType({
      name: 'Priced',
      extensions: ofType,
      fields: { id: { type: GraphQLString } },
    });
    const args = { first: { type: GraphQLInt, defaultValue: 5 } };
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: { list: { type: new GraphQLList(Priced), args, extensions } },
    });
    return createCostAnalyzer(new GraphQLSchema({ query }))
      .check()
      .map(({ severity, coordinate, message }) => `${severity} ${coordinate}: ${message}`);
  };

  it.each([
    [{ cost: { weigth: 5 } }, 'error Query.list: extensions.cost.weigth is ignored; did you mean weight?'],
    [
      { cost: { complexity: 5 } },
      'error Query.list: extensions.cost.complexity is ignored: expected weight, perElement',
    ],
    [
      { listSize: { assumedsize: 5, slicingArguments: ['first'] } },
      'error Query.list: extensions.listSize.assumedsize is ignored; did you mean assumedSize?',
    ],
    [{ maxsize: 5 }, 'warning Query.list: extensions.maxsize is ignored; did you mean maxSize?'],
    [{ list_size: { assumedSize: 5 } }, 'warning Query.list: extensions.list_size is ignored; did you mean listSize?'],
    [{ complexity: '5' }, 'error Query.list: extensions.complexity: expected a number or a function, got "5"'],
    [{ complexity: Number.NaN }, 'error Query.list: extensions.complexity: expected a number or a function, got NaN'],
  ])('the check reports entries that are ignored in the extensions of a field: %j', (extensions, problem) => {
    expect(problemsOf(extensions)).toEqual([problem]);
  });

  it('the check does not ask for the size of a list whose whole price a function returns', () => {
    const Item = new GraphQLObjectType({ name: 'Item', fields: { id: { type: GraphQLString } } });
    const complexity = ({ childComplexity }: { childComplexity: number }) => 7 * childComplexity;
    const args = { first: { type: GraphQLInt } };
    const list = new GraphQLList(Item);
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: {
        priced: { type: list, extensions: { complexity } },
        pricedPage: { type: list, args, extensions: { complexity } },
        weighed: { type: list, extensions: { complexity: 3 } },
        annotated: { type: list, extensions: { complexity, cost: { weight: 2 } } },
      },
    });
    const analyzer = createCostAnalyzer(new GraphQLSchema({ query }));
    expect(analyzer.check().map(({ coordinate }) => coordinate)).toEqual(['Query.weighed', 'Query.annotated']);
  });

  it('the check reports entries that are ignored in the extensions of a type', () => {
    expect(problemsOf({}, { cost: { weigth: 5 } })).toEqual([
      'error Priced: extensions.cost.weigth is ignored; did you mean weight?',
    ]);
  });

  it('the check does not report extensions that are read, undefined, or for other tools', () => {
    const listSize = { assumedSize: 5, slicingArguments: ['first'], requireOneSlicingArgument: false };
    expect(problemsOf({ cost: { weight: 5 }, listSize, maxSize: 50, complexity: undefined })).toEqual([]);
    expect(problemsOf({ complexity: 3, host: 'a', costs: 1, minSize: 2, pageSize: 4, directives: {} })).toEqual([]);
  });
});

describe('the analyzer', () => {
  const schema = withDirectives(
    'type Query { items(first: Int): [Item] @listSize(slicingArguments: ["first"]) } type Item { id: Int }',
  );

  it('the analyzer accepts a custom profile', () => {
    const profile = { objectWeight: 2, scalarWeight: 1, compositeFieldWeight: 5, roots: { query: 3 } };
    expect(costOf(schema, '{ items(first: 4) { id __typename } }', { profile })).toBe(3 + 5 + 4 * (2 + 1));
  });

  it.each([
    [{ profile: 'mine' as never }, /profile: expected "tokens"/],
    [{ profile: { objectWeight: Number.NaN } }, /profile\.objectWeight: expected a finite number/],
    [{ defaultListSize: -1 }, /defaultListSize: expected a whole number of 0 or more, got -1/],
    [{ minimumCost: 1.5 }, /minimumCost/],
    [{ maxCompileSteps: 0 }, /maxCompileSteps: expected a whole number of 1 or more/],
  ])('the analyzer rejects invalid options: %j', (options, message) => {
    expect(() => createCostAnalyzer(schema, options)).toThrow(message);
  });

  it('the analyzer charges at least the minimum cost', () => {
    expect(createCostAnalyzer(schema).compile(parse('{ __typename }')).estimate().cost).toBe(1);
    expect(costOf(schema, '{ __typename }', { minimumCost: 7 })).toBe(7);
  });

  it('the analyzer prices introspection at a flat rate, like other selections, or not at all', () => {
    const query = '{ __schema { types { name fields { name } } } }';
    expect(costOf(schema, query)).toBe(10);
    expect(costOf(schema, query, { introspection: 'priced' })).toBe(1 + 10 + 100);
    expect(costOf(schema, query, { introspectionListSize: 3 })).toBe(1 + 3 + 9);
    expect(costOf(schema, query, { introspection: 'exempt' })).toBe(0);
    expect(costOf(schema, query, { introspection: 7 })).toBe(7);
    expect(
      costOf(schema, '{ __schema { types { name } } t: __type(name: "Query") { name } __typename }', {
        introspection: 7,
      }),
    ).toBe(14);
    for (const introspection of [-1, 1.5, Number.NaN, 'free']) {
      expect(() => costOf(schema, query, { introspection: introspection as number })).toThrow(
        'introspection: expected',
      );
    }
  });

  it('the analyzer finds a cached plan by the document object, or by hash for another object of the same text', () => {
    const analyzer = createCostAnalyzer(schema, { maxCachedPlans: 2 });
    const text = 'query A { items(first: 1) { id } } query B { items(first: 2) { id } }';
    const document = parse(text);
    expect(analyzer.compile(document, 'A')).toBe(analyzer.compile(document, 'A'));
    expect(analyzer.compile(document, 'B')).toBe(analyzer.compile(document, 'B'));
    expect(analyzer.compile(document, 'B')).not.toBe(analyzer.compile(document, 'A'));
    expect(analyzer.compile(parse(text), 'A')).not.toBe(analyzer.compile(document, 'A'));
    const hashed = analyzer.compile(parse(text), 'A', 'hash');
    expect(analyzer.compile(parse(text), 'A', 'hash')).toBe(hashed);
    expect(analyzer.compile(parse(text), 'B', 'hash')).not.toBe(hashed);
    for (const other of ['x', 'y', 'z']) analyzer.compile(parse(text), 'A', other);
    expect(analyzer.compile(parse(text), 'A', 'hash')).not.toBe(hashed);
  });

  it('the analyzer prices the same document separately for each set of variables', () => {
    const plan = createCostAnalyzer(schema).compile(parse('query ($n: Int) { items(first: $n) { id } }'));
    expect([5, 50, 0, 5].map((n) => plan.estimate({ n }).cost)).toEqual([5, 50, 1, 5]);
  });

  it('the error about too few or too many slicing arguments names the field, the arguments and the path', () => {
    const two = withDirectives(
      'type Query { a: A } type A { list(first: Int, last: Int): [A] @listSize(slicingArguments: ["first", "last"], requireOneSlicingArgument: true) }',
    );
    const compile = (text: string) => createCostAnalyzer(two).compile(parse(text));
    const rejection = {
      code: 'COST_SLICING_ARGUMENT',
      path: ['a', 'x'],
      extensions: { code: 'COST_SLICING_ARGUMENT', http: { status: 400 } },
    };
    for (const args of ['', '(first: 1, last: 2)', '(first: null)']) {
      expect(() => compile(`{ a { x: list${args} { __typename } } }`).estimate(), args).toThrow(
        expect.objectContaining(rejection),
      );
    }
    const conditional = compile(
      'query ($n: Int, $on: Boolean!) { a { x: list(first: $n) @include(if: $on) { __typename } } }',
    );
    expect(() => conditional.estimate({ on: true })).toThrow(/A\.list requires exactly one of first, last/);
    expect(conditional.estimate({ on: false }).cost).toBe(1);
    expect(conditional.estimate({ on: true, n: 4 }).cost).toBe(5);
  });
});
