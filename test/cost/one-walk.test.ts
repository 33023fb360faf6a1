import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { toTokens } from '../../src/cost/values/to-tokens.js';
import { DEFAULT_LIST_SIZE, forEachCase, type GeneratedCase, outcome } from './reference/generated-cases.js';

describe('numbers of an explanation', () => {
  it('the explanation contains the negative root cost that reduces the cost of the fields', () => {
    const schema = buildSchema(`directive @cost(weight: String!) on OBJECT | FIELD_DEFINITION
      type Query @cost(weight: "-1") { search: Int @cost(weight: "4") }`);
    const { rootCost, cost } = createCostAnalyzer(schema, { minimumCost: 0 })
      .compile(parse('{ search }'))
      .bind({})
      .explain();
    expect({ rootCost, cost }).toEqual({ rootCost: -1, cost: 3 });
  });

  it('the numbers of an explanation add up to the result of the formula, in every profile and for all variables', () => {
    let compared = 0;
    const check = ({ document, variables, analyzer, context }: GeneratedCase): void => {
      for (const profile of ['tokens', 'ibm', 'apollo', 'github', 'query-complexity'] as const) {
        const plan = analyzer({ defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0, profile }).compile(document);
        for (const given of [variables, { ...variables, b0: !variables['b0'], n1: 4, n2: 0 }]) {
          const bound = outcome(() => plan.bind(given));
          if (typeof bound === 'string') continue;
          const { rootCost, fields, isTruncated } = bound.explain();
          const number = profile === 'github' ? bound.estimate().requests : bound.estimate().cost;
          if (isTruncated) continue;
          const sum = fields.reduce((total, field) => total + field.cost, rootCost);
          expect(toTokens(sum), `${profile}\n${JSON.stringify(given)}\n${context}`).toBe(number);
          compared++;
        }
      }
    };
    // All weights are whole numbers. Each number of an explanation is rounded separately, so sums
    // of fractions would not match.
    forEachCase(8, check, (sdl) => sdl.replaceAll(/weight: "(-?\d+)\.\d+"/g, 'weight: "$1"'));
    expect(compared).toBeGreaterThan(1000);
  });
});
