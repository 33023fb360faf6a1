import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type DocumentNode,
  type GraphQLSchema,
  isObjectType,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { CostError } from '../../src/cost/cost-error.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { finishAmount } from '../../src/cost/finish-amount.js';
import { createRandom, type Random } from './reference/random.js';
import { randomOperation } from './reference/random-operation.js';
import { randomSchema } from './reference/random-schema.js';
import { createReference, type ReferenceOptions, SlicingArgumentError } from './reference/reference-cost.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');

/** Repeat a run with COST_SEED=<the seed it printed>. */
const seed = Number(process.env['COST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
process.stdout.write(`exactness: COST_SEED=${seed}\n`);

const SCHEMAS = 250;
const CASES_PER_SCHEMA = 60;
const DEFAULT_LIST_SIZE = 3;

interface Case {
  schema: GraphQLSchema;
  document: DocumentNode;
  variables: Record<string, unknown>;
  text: string;
}

/** Runs `check` on generated operations that are valid, and returns how many there were. */
function forEachCase(schemas: number, check: (each: Case, random: Random, sdl: string) => void): number {
  let cases = 0;
  for (let s = 0; s < schemas; s++) {
    const random = createRandom(seed + s);
    const sdl = `${directives}\n${randomSchema(random)}`;
    const schema = buildSchema(sdl);
    for (let made = 0, tries = 0; made < CASES_PER_SCHEMA && tries < CASES_PER_SCHEMA * 5; tries++) {
      const { text, variables } = randomOperation(random, schema);
      const document = parse(text);
      if (validate(schema, document, rules, { maxErrors: 1 }).length > 0) continue;
      made++;
      cases++;
      check({ schema, document, variables, text }, random, sdl);
    }
  }
  return cases;
}

/** Fragments and variables that a generated operation happens not to use make it no less meaningful. */
const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule && rule !== NoUnusedVariablesRule);

function outcome(price: () => unknown): unknown {
  try {
    return price();
  } catch (error) {
    if (error instanceof SlicingArgumentError) return 'COST_SLICING_ARGUMENT';
    if (error instanceof CostError) return error.code;
    throw error;
  }
}

describe('the estimate', () => {
  it('is exactly the cost of the dearest response, found by brute force', () => {
    const cases = forEachCase(SCHEMAS, ({ schema, document, variables, text }, _, sdl) => {
      const price = (profile: ReferenceOptions['profile']): unknown =>
        outcome(() => {
          const options = { profile, defaultListSize: DEFAULT_LIST_SIZE };
          return finishAmount(createReference({ schema, document, variables }, options).cost());
        });
      const options = { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 };
      const plan = createCostAnalyzer(schema, options).compile(document);
      const context = `${text}\n${JSON.stringify(variables)}\n${sdl}`;
      expect(
        outcome(() => plan.estimate(variables).cost),
        context,
      ).toBe(price('tokens'));
      expect(
        outcome(() => plan.estimate(variables).typeCost),
        context,
      ).toBe(price('typeCost'));
      expect(
        outcome(() => plan.estimate(variables).fieldCost),
        context,
      ).toBe(price('fieldCost'));
      const apollo = createCostAnalyzer(schema, { ...options, profile: 'apollo' }).compile(document);
      expect(
        outcome(() => apollo.estimate(variables).cost),
        context,
      ).toBe(price('apollo'));
    });
    expect(cases).toBeGreaterThanOrEqual(10_000);
  }, 300_000);

  it('measures matching fields exactly as brute force does', () => {
    forEachCase(40, ({ schema, document, variables, text }, random, sdl) => {
      const coordinates = Object.values(schema.getTypeMap()).flatMap((type) =>
        isObjectType(type) && !type.name.startsWith('__')
          ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`)
          : [],
      );
      const chosen = new Set(random.some(coordinates, random.pick([0.05, 0.2, 0.5])));
      const matches = (coordinate: string): boolean => chosen.has(coordinate);
      const plan = createCostAnalyzer(schema, { defaultListSize: DEFAULT_LIST_SIZE }).compile(document);
      const expected = outcome(() => {
        const options: ReferenceOptions = { profile: 'tokens', defaultListSize: DEFAULT_LIST_SIZE };
        const { cost, calls } = createReference({ schema, document, variables }, options).measure(matches);
        return { cost: finishAmount(cost), calls: finishAmount(calls) };
      });
      const actual = outcome(() => plan.measure(matches).estimate(variables));
      expect(actual, `${text}\n${JSON.stringify(variables)}\n${[...chosen]}\n${sdl}`).toEqual(expected);
    });
  }, 120_000);
});
