import { readFileSync } from 'node:fs';
import { assertObjectType, buildSchema, isObjectType, parse, print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { toTokens } from '../../src/cost/values/to-tokens.js';
import {
  canBeMerged,
  DEFAULT_LIST_SIZE,
  forEachCase,
  type GeneratedCase,
  outcome,
} from './reference/generated-cases.js';
import { withManyAliases } from './reference/many-aliases.js';
import { executeOnRandomData } from './reference/random-response.js';
import { createReference, type ReferenceOptions } from './reference/reference-cost.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const OPTIONS = { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 };
const TOKENS: ReferenceOptions = { profile: 'tokens', defaultListSize: DEFAULT_LIST_SIZE };

/**
 * Maximum numbers of compile steps. Most operations need more for an exact price, and few need more
 * for an upper bound.
 */
const FEW_STEPS = [5, 10, 20];
const SCHEMAS = 12;

describe('operations that take too many steps for an exact price', () => {
  it('an upper bound is at least the true cost in every amount, and the same operations are rejected', () => {
    let bounds = 0;
    let equal = 0;
    forEachCase(SCHEMAS, (each) => {
      const { schema, variables, analyzer, random } = each;
      const many = random.chance(0.3) ? withManyAliases(random, each.document, schema) : each.document;
      const document = canBeMerged(schema, many) ? many : each.document;
      const context = `${print(document)}\n${each.context}`;
      const maxCompileSteps = random.pick(FEW_STEPS);
      const plan = outcome(() => analyzer({ ...OPTIONS, maxCompileSteps }).compile(document));
      if (typeof plan === 'string') return;
      const estimate = outcome(() => plan.estimate(variables));
      const price = (profile: ReferenceOptions['profile']) =>
        outcome(() => toTokens(createReference({ schema, document, variables }, { ...TOKENS, profile }).cost()));
      const cost = price('tokens');
      if (typeof estimate === 'string' || typeof cost === 'string') {
        expect(estimate, context).toBe(cost);
        return;
      }
      expect(estimate.cost, context).toBeGreaterThanOrEqual(cost);
      expect(estimate.typeCost, context).toBeGreaterThanOrEqual(price('typeCost') as number);
      expect(estimate.fieldCost, context).toBeGreaterThanOrEqual(price('fieldCost') as number);
      const nodes = plan.measure('OPERATION', 'NODES').estimate(variables).cost;
      expect(nodes, context).toBeGreaterThanOrEqual(price('nodes') as number);
      const chosen = new Set(random.some(coordinatesOf(each), random.pick([0.1, 0.5])));
      const least = createReference({ schema, document, variables }, TOKENS).measure((at) => chosen.has(at));
      const measured = plan.measure((at) => chosen.has(at)).estimate(variables);
      expect(measured.cost, `${[...chosen]}\n${context}`).toBeGreaterThanOrEqual(toTokens(least.cost));
      expect(measured.calls, `${[...chosen]}\n${context}`).toBeGreaterThanOrEqual(toTokens(least.calls));
      if (plan.isUpperBound) bounds++;
      if (plan.isUpperBound && estimate.cost === cost) equal++;
    });
    expect(bounds).toBeGreaterThan(50);
    // The bound is often exact: many operations need no merging and no distinction of types.
    expect(equal / bounds).toBeGreaterThan(0.3);
  });

  it('an upper bound excludes selections on types that the object never has, in fragments on a union', () => {
    const typeDefs = `${directives}
      type Query { b: B }
      union U = A | B
      type A { list(first: Int): [Int] @cost(weight: "50") @listSize(slicingArguments: ["first"], requireOneSlicingArgument: true) }
      type B { x: Int @cost(weight: "3") }`;
    const text = `{ b { ...F } } fragment F on U { ... on A { list ...G } ... on B { x } } fragment G on U { ... on A { other: list } }`;
    const [bound, exact] = [1, 1000].map((maxCompileSteps) =>
      createCostAnalyzer(buildSchema(typeDefs), { maxCompileSteps }).compile(parse(text)),
    );
    expect([bound!.isUpperBound, exact!.isUpperBound]).toEqual([true, false]);
    expect(bound!.estimate().cost).toBe(exact!.estimate().cost);
  });

  it('an upper bound takes the highest price of a field whose arguments have different weights per type', () => {
    const field = (weight: number): string =>
      `f(n: Int @cost(weight: "${weight}")): [I] @cost(weight: "${100 - weight}") @listSize(assumedSize: 1)`;
    const types = Array.from({ length: 50 }, (_, at) => `type T${at} implements I { ${field(at)} x: Int }`);
    const schema = buildSchema(
      `${directives}\ntype Query { i: I } interface I { f(n: Int): [I] x: Int } ${types.join(' ')}`,
    );
    const text = `{ i { ${Array.from({ length: 20 }, (_, at) => `a${at}: f(n: ${at}) { x }`).join(' ')} } }`;
    const price = (maxCompileSteps: number) => {
      const plan = createCostAnalyzer(schema, { maxCompileSteps }).compile(parse(text));
      return [plan.isUpperBound, plan.estimate().cost];
    };
    expect(price(10_000)).toEqual([false, 1 + 20 * (100 + 1)]);
    // The bound adds the highest weight of the field and the highest weight of the argument,
    // although no type has both.
    expect(price(100)).toEqual([true, 1 + 20 * (100 + 49 + 1)]);
  });

  it('an operation with an upper bound is charged its estimate, and nothing if it did not run', () => {
    let bounds = 0;
    forEachCase(4, ({ schema, document, variables, analyzer, random, context }) => {
      const plan = outcome(() => analyzer({ ...OPTIONS, maxCompileSteps: random.pick(FEW_STEPS) }).compile(document));
      if (typeof plan === 'string' || !plan.isUpperBound || typeof outcome(() => plan.estimate(variables)) === 'string')
        return;
      const { data } = executeOnRandomData(random, { schema, document, variables }, TOKENS);
      const bound = plan.bind(variables);
      const measure = plan.measure(() => true);
      const actual = bound.actual(data, [measure], { fieldSums: true });
      expect(actual.cost, context).toBe(bound.estimate().cost);
      expect(actual.measures, context).toEqual([bound.measure(measure)]);
      expect(bound.actual(undefined, [measure]).measures, context).toEqual([{ cost: 0, calls: 0 }]);
      bounds++;
    });
    expect(bounds).toBeGreaterThan(30);
  });

  it('an operation is rejected if a price function needs the cost below a field that has only an upper bound', () => {
    const schema = buildSchema('type Query { a: A } type A { a: A x: Int }');
    const text = `{ ${Array.from({ length: 9 }, (_, at) => `a${at}: a { a { x } }`).join(' ')} }`;
    const price = () =>
      outcome(() => createCostAnalyzer(schema, { maxCompileSteps: 10 }).compile(parse(text)).estimate().cost);
    expect(price()).toBe(9 * 2);
    const { a } = assertObjectType(schema.getType('A')).getFields();
    a!.extensions = { complexity: ({ childComplexity }: { childComplexity: number }) => childComplexity ** 2 };
    expect(price()).toBe('OPERATION_TOO_COMPLEX');
  });
});

function coordinatesOf({ schema }: GeneratedCase): string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`)
      : [],
  );
}
