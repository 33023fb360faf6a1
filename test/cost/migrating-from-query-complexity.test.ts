import { readFileSync } from 'node:fs';
import { buildSchema, parse, printSchema } from 'graphql';
import {
  type ComplexityEstimator,
  directiveEstimator,
  fieldExtensionsEstimator,
  getComplexity,
  simpleEstimator,
} from 'graphql-query-complexity';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';
import { createTollgate } from '../../src/index.js';
import { complexitySchema, type Reason, randomComplexityOperation } from './reference/complexity-operations.js';
import { createRandom } from './reference/random.js';

const simple = simpleEstimator({ defaultComplexity: 1 });
const OPERATIONS = 5_000;

/** Configurations of the package, and the equivalent ones of Tollgate. */
const WAYS: readonly { name: string; estimators: ComplexityEstimator[]; cost: CostAnalyzerOptions }[] = [
  { name: 'the profile alone', estimators: [simple], cost: { profile: 'query-complexity' } },
  { name: 'simpleEstimator', estimators: [simple], cost: { estimators: [simple] } },
  ...[
    [fieldExtensionsEstimator(), directiveEstimator(), simple],
    [directiveEstimator({ name: 'complexity' }), fieldExtensionsEstimator(), simple],
  ].map((estimators) => ({ name: 'estimators of every kind', estimators, cost: { estimators } })),
];

describe('prices of graphql-query-complexity', () => {
  it(`Tollgate has the same price for ${OPERATIONS} operations, or a difference that the docs list`, () => {
    const schema = complexitySchema();
    const bare = buildSchema(printSchema(schema));
    const found: Record<Reason | 'equal', number> = {
      equal: 0,
      typename: 0,
      'selected twice': 0,
      'fragments in fragments': 0,
      interface: 0,
    };
    const random = createRandom(18);
    const ways = WAYS.map((way) => {
      const priced = way.cost.profile === undefined ? schema : bare;
      return { ...way, priced, analyzer: createCostAnalyzer(priced, { minimumCost: 0, ...way.cost }) };
    });
    for (let i = 0; i < OPERATIONS; i++) {
      const { source, document, variables, reasons } = randomComplexityOperation(schema, random);
      const { name, estimators, priced, analyzer } = ways[i % ways.length]!;
      const context = { tier: random.pick(['big', 'small']) };
      const theirs = getComplexity({ schema: priced, query: document, variables, estimators, context });
      const ours = analyzer.compile(document).bind(variables, context).estimate().cost;
      const at = `${name}\n${JSON.stringify(variables)}\n${source}`;
      if (reasons.size === 0) expect(ours, at).toBe(theirs);
      // For every reason except `interface`, the package counts a selection that never runs, or
      // counts a selection several times that runs once. So Tollgate's price is never higher.
      else if (!reasons.has('interface')) expect(ours, at).toBeLessThanOrEqual(theirs);
      if (ours === theirs) found.equal++;
      else for (const reason of reasons) found[reason]++;
    }
    expect(found.equal).toBeGreaterThan(OPERATIONS * 0.6);
    for (const [reason, count] of Object.entries(found)) expect(count, reason).toBeGreaterThan(0);
  });
});

describe('the table of differences in the docs', () => {
  const page = readFileSync('docs/migrating-from-graphql-query-complexity.md', 'utf8');
  const [, sdl = ''] = /```graphql\n([\s\S]*?)```/.exec(page) ?? [];
  const rows = [...page.matchAll(/^\| `(.+?)` \| ([\d.]+) \| (\d+) \|/gm)];
  const schema = buildSchema(sdl);
  const estimators = [directiveEstimator(), simple];
  const analyzer = createCostAnalyzer(schema, { estimators });

  it('the docs contain the table of differences', () => expect(rows).toHaveLength(8));

  it.each(
    rows.map(([, source = '', theirs, ours]) => ({ source, theirs, ours })),
  )('$source costs $theirs in graphql-query-complexity and $ours in Tollgate', ({ source, theirs, ours }) => {
    expect(getComplexity({ schema, query: parse(source), estimators })).toBe(Number(theirs));
    expect(analyzer.compile(parse(source)).estimate().cost).toBe(Number(ours));
  });
});

describe('estimators', () => {
  const schema = buildSchema(`
    directive @cost(weight: String!) on FIELD_DEFINITION | OBJECT
    directive @listSize(assumedSize: Int, slicingArguments: [String!]) on FIELD_DEFINITION
    type Query {
      me: User
      users(first: Int): [User] @listSize(assumedSize: 20, slicingArguments: ["first"])
      search: [User] @cost(weight: "30")
      all: [User]
    }
    type User { name: String nick: String }
  `);
  const priceOf = (source: string, cost: CostAnalyzerOptions, context?: object): number =>
    createCostAnalyzer(schema, cost).compile(parse(source)).bind({}, context).estimate().cost;

  it('estimators are not called for a field with @cost or @listSize', () => {
    const cost = { estimators: [simple] };
    expect(priceOf('{ me { name } }', cost)).toBe(2);
    expect(priceOf('{ users(first: 5) { name } }', cost)).toBe(1 + 5 * 1);
    expect(priceOf('{ users { name } }', cost)).toBe(1 + 20 * 1);
    expect(priceOf('{ search { name } }', cost)).toBe(30 + 1);
  });

  it('the profile prices a field for which no estimator returns a number', () => {
    const estimators = [() => undefined, () => Number.NaN];
    expect(priceOf('{ me { name nick } }', { estimators })).toBe(3);
    expect(priceOf('{ me { name nick } }', { estimators, profile: 'tokens' })).toBe(1);
  });

  it('estimators run for each request, with its context, also if the operation has no variables', () => {
    const mine = ({ context, childComplexity }: { context: { free?: boolean }; childComplexity: number }) =>
      context.free ? 0 : 5 + childComplexity;
    const plan = createCostAnalyzer(schema, { estimators: [mine], minimumCost: 0 }).compile(parse('{ me { name } }'));
    expect(plan.bind({}, { free: false }).estimate().cost).toBe(10);
    expect(plan.bind({}, { free: true }).estimate().cost).toBe(0);
    expect(plan.bind({}, { free: true }).actual({ me: { name: 'x' } }).cost).toBe(0);
    expect(plan.estimate().cost).toBe(10);
  });

  it('estimators receive the contextValue of each request, so that prices can differ between callers', async () => {
    const byRole: ComplexityEstimator = ({ context, childComplexity }) =>
      childComplexity + (context?.['isGuest'] ? 8 : 1);
    const tollgate = await createTollgate({ schema, cost: { estimators: [byRole] } });
    const priceFor = async (isGuest: boolean) => {
      const contextValue = { isGuest, req: { socket: { remoteAddress: '192.0.2.1' }, headers: {} } };
      const request = await tollgate.protect({ query: '{ me { name } }', headers: {}, contextValue });
      const ran = () => ({ data: { me: { name: 'x' } } });
      const answer = request.admitted ? await request.run(ran) : request.answer;
      return answer.body.extensions?.['cost'];
    };
    expect(await priceFor(true)).toMatchObject({ requestedQueryCost: 16, actualQueryCost: 16 });
    expect(await priceFor(false)).toMatchObject({ requestedQueryCost: 2, actualQueryCost: 2 });
    expect(await priceFor(true)).toMatchObject({ requestedQueryCost: 16 });
    await tollgate.close();
  });

  it('estimators do not count the returned items in the actual cost, but the profile query-complexity does', () => {
    const data = { all: [{ name: 'a' }, { name: 'b' }, null] };
    const of = (cost: CostAnalyzerOptions) => createCostAnalyzer(schema, cost).compile(parse('{ all { name } }'));
    expect(of({ estimators: [simple] }).actual({}, data).cost).toBe(2);
    expect(of({ profile: 'query-complexity' }).estimate().cost).toBe(2);
    expect(of({ profile: 'query-complexity' }).actual({}, data).cost).toBe(1 + 2);
  });

  it('introspection has the price of the package, with estimators and in the profile query-complexity', () => {
    const source = '{ __schema { types { name fields { name } } } }';
    const theirs = getComplexity({ schema, query: parse(source), estimators: [simple] });
    expect(priceOf(source, { estimators: [simple] })).toBe(theirs);
    expect(priceOf(source, { profile: 'query-complexity' })).toBe(theirs);
  });

  it('an estimator that is no function is rejected with an example', () => {
    const wrong = { estimators: [3] } as unknown as CostAnalyzerOptions;
    expect(() => createCostAnalyzer(schema, wrong)).toThrow(
      'estimators[0]: expected a function, such as simpleEstimator({ defaultComplexity: 1 }), got 3',
    );
  });
});
