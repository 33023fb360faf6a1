import { type ExecutionResult, execute, type GraphQLSchema, parse, validate } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CostAnalyzer, createCostAnalyzer } from '../../../src/cost/create-cost-analyzer.js';
import { objectsIn } from '../../cost/reference/objects-in.js';
import { createRandom } from '../../cost/reference/random.js';
import { CUSTOMER_ACCOUNT, GITHUB, NAUTICAL, STOREFRONT, type UsualOperation } from './operations.js';
import { readPackedSchema } from './packed-schema.js';
import { resolvePage } from './page-mocks.js';

// Tests with schemas that vendors publish in npm packages, and operations that their clients send.

/** Capacity of the default tier. */
const CAPACITY = 1000;
const EXECUTIONS = 40;
const SEED = Number(process.env['COST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));

interface PublicSchema {
  readonly name: string;
  readonly packed: readonly [packageAndVersion: string, file: string];
  readonly preset: 'github' | 'saleor' | 'shopify';
  readonly operations: readonly UsualOperation[];
}

const SCHEMAS: readonly PublicSchema[] = [
  {
    name: 'GitHub',
    packed: ['@octokit/graphql-schema@15.26.1', 'schema.graphql'],
    preset: 'github',
    operations: GITHUB,
  },
  {
    name: 'Shopify Storefront',
    packed: ['@shopify/hydrogen-react@2026.4.4', 'storefront.schema.json'],
    preset: 'shopify',
    operations: STOREFRONT,
  },
  {
    name: 'Shopify Customer Account',
    packed: ['@shopify/hydrogen-react@2026.4.4', 'customer-account.schema.json'],
    preset: 'shopify',
    operations: CUSTOMER_ACCOUNT,
  },
  {
    name: 'Nautical Commerce, which began as Saleor',
    packed: ['@nautical-commerce/graphql-schema@4.15.0', 'nautical/schema.graphql'],
    preset: 'saleor',
    operations: NAUTICAL,
  },
];

describe.each(SCHEMAS)('schema of $name', ({ packed, preset, operations }) => {
  let schema: GraphQLSchema;
  let analyzer: CostAnalyzer;
  beforeAll(() => {
    schema = readPackedSchema(...packed);
    analyzer = createCostAnalyzer(schema, { presets: [preset], minimumCost: 0 });
  });

  it('the schema has no errors, and fewer guesses with its preset than without it', () => {
    expect(analyzer.check().filter(({ severity }) => severity === 'error')).toEqual([]);
    const guesses = (one: CostAnalyzer) => one.guesses().reduce((sum, group) => sum + group.guesses.length, 0);
    expect(guesses(analyzer)).toBeLessThan(guesses(createCostAnalyzer(schema)));
  });

  it.each(operations)('$what costs $cost tokens, which fit into the default bucket', ({
    query,
    variables = {},
    cost,
  }) => {
    const document = parse(query);
    expect(validate(schema, document)).toEqual([]);
    const plan = analyzer.compile(document);
    expect(plan.estimate(variables).cost).toBe(cost);
    expect(cost).toBeLessThanOrEqual(CAPACITY);
  });

  it.each(operations)('the price of $what is never below the executed cost', ({ query, variables = {} }) => {
    process.stdout.write(`executed operations of public schemas: COST_SEED=${SEED}\n`);
    const document = parse(query);
    const plan = analyzer.compile(document);
    for (let at = 0; at < EXECUTIONS; at++) {
      const random = createRandom(SEED + at);
      const result = execute({
        schema,
        document,
        variableValues: variables,
        rootValue: {},
        fieldResolver: resolvePage(random),
        typeResolver: (_value, _context, _info, type) => random.pick(schema.getPossibleTypes(type)).name,
      }) as ExecutionResult;
      expect(result.errors).toBeUndefined();
      const data = JSON.parse(JSON.stringify(result.data)) as Record<string, unknown>;
      const ran = objectsIn(data) - 1 + (query.startsWith('mutation') ? 10 : 0);
      expect(plan.estimate(variables).cost).toBeGreaterThanOrEqual(ran);
      expect(plan.actual(variables, data).cost).toBe(ran);
    }
  });
});
