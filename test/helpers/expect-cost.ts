import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLSchema, parse, validate } from 'graphql';
import { expect } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';
import { createReference } from '../cost/reference/reference-cost.js';

const DIRECTIVES = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');

/** Expects a price, calculated by hand, for a query. One query is one test case. */
export type ExpectCost = (query: string, tokens: number, variables?: Record<string, unknown>) => void;

/**
 * Returns a function that expects prices of operations on a schema. A schema given as text must not
 * define the cost directives, because this function adds them. A brute-force analysis must compute
 * the same price. This detects mistakes in the hand calculation.
 */
export function createExpectCost(
  schemaOrText: GraphQLSchema | string,
  options: Omit<CostAnalyzerOptions, 'profile'> & { profile?: 'tokens' | 'apollo' } = {},
): ExpectCost {
  const schema = typeof schemaOrText === 'string' ? buildSchema(`${DIRECTIVES}\n${schemaOrText}`) : schemaOrText;
  const analyzer = createCostAnalyzer(schema, { minimumCost: 0, ...options });
  return (query, tokens, variables = {}) => {
    const document = parse(query);
    expect(validate(schema, document), query).toEqual([]);
    expect(analyzer.compile(document).estimate(variables).cost, query).toBe(tokens);
    const { profile = 'tokens', defaultListSize = 10 } = options;
    const reference = createReference({ schema, document, variables }, { profile, defaultListSize });
    expect(reference.cost(), `${query}: by brute force`).toBe(tokens);
  };
}
