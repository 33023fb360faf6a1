import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { toTokens } from '../../src/cost/values/to-tokens.js';
import { DEFAULT_LIST_SIZE, forEachCase, isValid, outcome } from './reference/generated-cases.js';
import { createReference, type ReferenceOptions } from './reference/reference-cost.js';

describe('generated operations', () => {
  it('the generated operations are valid', () => {
    forEachCase(10, ({ schema, document, context }) => expect(isValid(schema, document), context).toBe(true));
  });
});

describe('the estimate', () => {
  it('the estimate is the cost of the most expensive response, which brute force finds', () => {
    const cases = forEachCase(40, ({ schema, document, variables, analyzer, context }) => {
      const price = (profile: ReferenceOptions['profile']) =>
        outcome(() => {
          const options = { profile, defaultListSize: DEFAULT_LIST_SIZE };
          return toTokens(createReference({ schema, document, variables }, options).cost());
        });
      const options = { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 };
      const estimate = outcome(() => analyzer(options).compile(document).estimate(variables));
      const read = (number: 'cost' | 'typeCost' | 'fieldCost' | 'nodes') =>
        typeof estimate === 'string' ? estimate : estimate[number];
      expect(read('cost'), context).toBe(price('tokens'));
      expect(read('typeCost'), context).toBe(price('typeCost'));
      expect(read('fieldCost'), context).toBe(price('fieldCost'));
      expect(read('nodes'), context).toBe(price('nodes'));
      const apollo = analyzer({ ...options, profile: 'apollo' }).compile(document);
      expect(
        outcome(() => apollo.estimate(variables).cost),
        context,
      ).toBe(price('apollo'));
    });
    expect(cases).toBeGreaterThanOrEqual(2000);
  }, 1_000_000);

  it.each([
    ['COST', 'tokens'],
    ['NODES', 'nodes'],
    ['TYPE_COST', 'typeCost'],
    ['FIELD_COST', 'fieldCost'],
  ] as const)(
    'the estimate of a limit on the %s of some fields is what brute force finds',
    (amount, profile) => {
      forEachCase(amount === 'COST' ? 10 : 4, ({ schema, document, variables, random, analyzer, context }) => {
        const coordinates = Object.values(schema.getTypeMap()).flatMap((type) =>
          isObjectType(type) && !type.name.startsWith('__')
            ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`)
            : [],
        );
        const chosen = new Set(random.some(coordinates, random.pick([0.05, 0.2, 0.5])));
        const matches = (coordinate: string): boolean => chosen.has(coordinate);
        const plan = analyzer({ defaultListSize: DEFAULT_LIST_SIZE }).compile(document);
        const expected = outcome(() => {
          const options: ReferenceOptions = { profile, defaultListSize: DEFAULT_LIST_SIZE };
          const { cost, calls } = createReference({ schema, document, variables }, options).measure(matches);
          return { cost: toTokens(cost), calls: toTokens(calls) };
        });
        const measured = outcome(() => plan.measure(matches, amount).estimate(variables));
        expect(measured, `${[...chosen]}\n${context}`).toEqual(expected);
      });
    },
    400_000,
  );
});
