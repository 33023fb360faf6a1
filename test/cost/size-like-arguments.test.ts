import { buildSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';
import { costTypeDefs } from '../../src/entry/cost.js';
import { createTollgate } from '../../src/index.js';
import { parseYaml } from '../../src/runtime/packages/parse-yaml.js';
import { describeApi } from '../../src/tollgate/describe-api.js';

const TYPES = `
  scalar PositiveInt
  type User { id: ID posts: Posts }
  type Users { edges: [Edge] }
  type Edge { node: User }
  type Posts { pageInfo: PageInfo items: [Post] @listSize(assumedSize: 3) }
  type PageInfo { hasNextPage: Boolean }
  type Post { title: String }
  input Search { top: Int text: String }
`;
const schemaOf = (fields: string, types = '') =>
  buildSchema(`${costTypeDefs} ${TYPES} type Query { ${fields} } ${types}`);
const foundIn = (fields: string, options: CostAnalyzerOptions = {}, types = '') =>
  createCostAnalyzer(schemaOf(fields, types), options)
    .check()
    .filter(({ entry }) => entry !== undefined);

it.each([
  'amount',
  'resultCount',
  'numResults',
  'numberOfItems',
  'topN',
  'fetchSize',
  'userLimit',
  'record_count',
])('an integer argument with the name %s is reported on a list, because it looks like its size but has no effect', (name) => {
  const fields = `users(${name}: Int): [User]`;
  expect(foundIn(fields)).toEqual([
    {
      severity: 'warning',
      coordinate: 'Query.users',
      message: `${name} looks like a list size, but the price does not depend on it; add @listSize(assumedSize: 10, slicingArguments: ["${name}"])`,
      entry: `"Query.users": { assumedSize: 10, slicingArguments: [${name}] }`,
    },
  ]);
  const cost = (query: string) => createCostAnalyzer(schemaOf(fields)).compile(parse(query)).estimate().cost;
  expect(cost(`{ users(${name}: 500) { id } }`)).toBe(10);
});

it.each([
  ['an argument that already sizes the list', 'users(top: Int, amount: Int): [User]'],
  ['a position', 'users(pageNumber: Int, offset: Int, page: Int): [User]'],
  ['a property of the items', 'users(maxDays: Int, guestCount: Int, minLength: Int, numPoints: Int): [User]'],
  ['a side of a box', 'users(top: Int, left: Int): [User]'],
  ['a text', 'users(resultCount: String): [User]'],
  ['the length of a list of scalars', 'names(amount: Int): [String]'],
  ['a field without lists', 'user(amount: Int): Post'],
  ['a list with an annotation', 'users(amount: Int): [User] @listSize(assumedSize: 5)'],
])('no warning reports %s', (_, fields) => {
  expect(foundIn(fields)).toEqual([]);
});

it('a quantity of a mutation is not reported', () => {
  const types = 'type Mutation { addToCart(quantity: Int): [User] }';
  expect(foundIn('user: User', {}, types)).toEqual([]);
});

it.each([
  'ibm',
  'apollo',
  'query-complexity',
] as const)('the profile %s, which infers no sizes, reports arguments from whose names other profiles infer a size', (profile) => {
  const fields = 'a(top: Int): [User] b(maxResults: Int): [User] c(per_page: Int): [User] d(size: Int!): [User]';
  expect(foundIn(fields, { profile }).map(({ coordinate }) => coordinate)).toEqual([
    'Query.a',
    'Query.b',
    'Query.c',
    'Query.d',
  ]);
});

it('an argument is not reported if the options exclude its name, or if estimators price its field', () => {
  const fields = 'a(top: Int): [User]';
  expect(foundIn(fields, { inferListSizes: { top: false } })).toEqual([]);
  expect(foundIn(fields, { estimators: [() => 1] })).toEqual([]);
  expect(foundIn(fields, { inferListSizes: false })).toHaveLength(1);
});

it('an argument of an interface is reported once, and a member of an input object with its path', () => {
  const types =
    'interface Named { friends(amount: Int): [User] } type Person implements Named { friends(amount: Int): [User] }';
  expect(foundIn('named: Named', {}, types).map(({ coordinate }) => coordinate)).toEqual(['Named.friends']);
  expect(foundIn('users(query: Search): [User]')[0]?.entry).toBe(
    '"Query.users": { assumedSize: 10, slicingArguments: [query.top] }',
  );
});

it.each([
  ['a list', 'users(amount: Int): [User]', '{ users(amount: 500) { id } }', 500],
  ['a list whose argument is required', 'users(amount: Int!): [User]', '{ users(amount: 500) { id } }', 500],
  [
    'two arguments',
    'users(amount: Int, resultCount: Int): [User]',
    '{ users(amount: 500, resultCount: 7) { id } }',
    500,
  ],
  ['a page', 'users(amount: Int): Users', '{ users(amount: 500) { edges { node { id } } } }', 1001],
])('the advised entry sets the price of %s, and no warning remains for that field', async (_, fields, query, cost) => {
  for (const profile of [undefined, 'ibm'] as const) {
    const [found] = foundIn(fields, profile && { profile });
    const { document, problems } = await parseYaml(found!.entry!, 'test');
    expect(problems).toEqual([]);
    const analyzer = createCostAnalyzer(schemaOf(fields), {
      ...(profile && { profile }),
      overlay: document.toJS() as NonNullable<CostAnalyzerOptions['overlay']>,
    });
    expect(analyzer.check().filter(({ coordinate }) => coordinate === 'Query.users')).toEqual([]);
    const estimated = analyzer.compile(parse(query)).estimate().cost;
    if (profile === undefined) expect(estimated).toBe(cost);
    else expect(estimated).toBeGreaterThanOrEqual(500);
    // Operations that were valid before remain valid.
    if (!fields.includes('!')) analyzer.compile(parse(query.replace(/\(.*?\)/, ''))).estimate();
  }
});

it('the start logs one warning with all arguments that look like list sizes, apart from the guesses', async () => {
  const warnings: string[] = [];
  const logger = { info() {}, error() {}, warn: (message: unknown) => void warnings.push(String(message)) };
  const schema = schemaOf('users(amount: Int): [User] found(resultCount: Int!): [User] plain: [User]');
  const tollgate = await createTollgate({ schema, logger });
  await tollgate.close();
  const found = warnings.filter((warning) => warning.startsWith('Arguments that look like list sizes'));
  expect(found).toEqual([
    'Arguments that look like list sizes, but do not affect the price:' +
      '\n  Query.users: amount looks like a list size, but the price does not depend on it; add @listSize(assumedSize: 10, slicingArguments: ["amount"]), or "Query.users": { assumedSize: 10, slicingArguments: [amount] } to a file of prices' +
      '\n  Query.found: resultCount looks like a list size, but the price does not depend on it; add @listSize(slicingArguments: ["resultCount"]), or "Query.found": { slicingArguments: [resultCount] } to a file of prices',
  ]);
  expect(warnings.find((warning) => warning.startsWith('Parts of the schema'))).toMatch(/Query\.plain/);
});

it('the guessed prices of the admin API have one entry per field, about the argument that looks like a size if there is one', () => {
  const schema = schemaOf('users(amount: Int): [User] plain: [User]');
  const { guessedPrices } = describeApi({ schema, analyzer: createCostAnalyzer(schema) }, {} as never);
  expect(guessedPrices().map(({ coordinate, message }) => [coordinate, message.split(' ')[0]])).toEqual([
    ['Query.plain', 'this'],
    ['Query.users', 'amount'],
  ]);
});
