import { type DocumentNode, isObjectType, print } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { ExplainedField } from '../../src/cost/explain/explain-operation.js';
import { toTokens } from '../../src/cost/values/to-tokens.js';
import {
  canBeMerged,
  DEFAULT_LIST_SIZE,
  forEachCase,
  type GeneratedCase,
  outcome,
} from './reference/generated-cases.js';
import { withManyAliases, withoutAlikeSelections } from './reference/many-aliases.js';
import { executeOnRandomData } from './reference/random-response.js';
import { createReference, type ReferenceOptions } from './reference/reference-cost.js';

// Some of these operations take more compile steps than a server allows by default. With the
// default maximum, they would get an upper bound instead of an exact price.
const OPTIONS = { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0, maxCompileSteps: 1_000_000 };
const TOKENS: ReferenceOptions = { profile: 'tokens', defaultListSize: DEFAULT_LIST_SIZE };

/** Generates operations with a dozen aliases of fields below interfaces and unions. */
function forEachManyAliases(schemas: number, check: (each: GeneratedCase) => void): number {
  let cases = 0;
  forEachCase(schemas, (each) => {
    const document = withManyAliases(each.random, each.document, each.schema);
    if (document === each.document || !canBeMerged(each.schema, document)) return;
    check({ ...each, document, context: `${print(document)}\n${each.context}` });
    cases++;
  });
  return cases;
}

function coordinatesOf({ schema }: GeneratedCase): string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`)
      : [],
  );
}

describe('operations with many aliases below interfaces and unions', () => {
  it('an operation with many aliases costs what brute force finds, in every profile and for every limit on fields', () => {
    const cases = forEachManyAliases(8, (each) => {
      const { schema, document, variables, analyzer, random, context } = each;
      const price = (profile: ReferenceOptions['profile']) =>
        outcome(() => toTokens(createReference({ schema, document, variables }, { ...TOKENS, profile }).cost()));
      const plan = analyzer(OPTIONS).compile(document);
      const estimate = outcome(() => plan.estimate(variables));
      const read = (number: 'cost' | 'typeCost' | 'fieldCost') =>
        typeof estimate === 'string' ? estimate : estimate[number];
      expect(read('cost'), context).toBe(price('tokens'));
      expect(read('typeCost'), context).toBe(price('typeCost'));
      expect(read('fieldCost'), context).toBe(price('fieldCost'));
      const apollo = analyzer({ ...OPTIONS, profile: 'apollo' }).compile(document);
      expect(
        outcome(() => apollo.estimate(variables).cost),
        context,
      ).toBe(price('apollo'));
      const chosen = new Set(random.some(coordinatesOf(each), random.pick([0.1, 0.5])));
      const expected = outcome(() => {
        const { cost, calls } = createReference({ schema, document, variables }, TOKENS).measure((at) =>
          chosen.has(at),
        );
        return { cost: toTokens(cost), calls: toTokens(calls) };
      });
      expect(
        outcome(() => plan.measure((at) => chosen.has(at)).estimate(variables)),
        `${[...chosen]}\n${context}`,
      ).toEqual(expected);
    });
    expect(cases).toBeGreaterThan(50);
  }, 1_000_000);

  it('an operation with many aliases has the same explanation and actual cost as one without equal selections', () => {
    let compared = 0;
    forEachManyAliases(3, (each) => {
      const { schema, document, variables, analyzer, random, context } = each;
      const profile = random.pick(['tokens', 'ibm', 'apollo', 'github', 'query-complexity'] as const);
      const chosen = new Set(random.some(coordinatesOf(each), random.pick([0.1, 0.5])));
      const { data } = executeOnRandomData(random, { schema, document, variables }, TOKENS);
      const paths = nullPathsOf(data);
      const errors = random.chance(0.5) ? random.some(paths, 0.5).map((path) => ({ path })) : [];
      const numbersOf = (of: DocumentNode) =>
        outcome(() => {
          const plan = analyzer({ ...OPTIONS, profile }).compile(of);
          const bound = plan.bind(variables);
          const measure = plan.measure((at) => chosen.has(at));
          const { cost, rootCost, fields, mostExpensive, isTruncated } = bound.explain();
          const actual = bound.actual(data, [measure], { errors, fieldSums: true });
          return {
            estimate: [bound.estimate().cost, bound.estimate().typeCost, bound.estimate().fieldCost],
            estimated: byName(bound.estimate().fields),
            measured: bound.measure(measure),
            explanation: { cost, rootCost, isTruncated, fields: isTruncated ? [] : inOrder(fields) },
            // Among equally expensive fields, any is correct.
            mostExpensive: mostExpensive.map((each) => each.cost),
            actual: { cost: actual.cost, typeCost: actual.typeCost, fieldCost: actual.fieldCost },
            measures: actual.measures,
            fields: byName(actual.fields),
          };
        });
      // Compared as text, because explanations are long.
      const text = JSON.stringify(numbersOf(document));
      expect(text, context).toBe(JSON.stringify(numbersOf(withoutAlikeSelections(document))));
      compared++;
    });
    expect(compared).toBeGreaterThan(12);
  }, 1_000_000);
});

function byName<T extends { coordinate: string }>(fields: readonly T[]): T[] {
  return [...fields].sort((a, b) => (a.coordinate < b.coordinate ? -1 : 1));
}

/** Sorts the fields, so that both explanations have them in the same order. */
function inOrder(fields: readonly ExplainedField[]): ExplainedField[] {
  return fields
    .map((field) => ({ ...field, fields: inOrder(field.fields) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function nullPathsOf(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (value === null) return [[...path]];
  if (typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap((each, at) => nullPathsOf(each, [...path, at]));
  return Object.entries(value as object).flatMap(([name, each]) => nullPathsOf(each, [...path, name]));
}
