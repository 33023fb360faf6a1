import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { CostError } from '../../src/cost/values/cost-error.js';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/cost-model.md', root), 'utf8');
const directives = readFileSync(new URL('schema/directives.graphql', root), 'utf8');

const blocks = [...page.matchAll(/```graphql( schema)?\n([\s\S]*?)```/g)].map(([, isSchema, text]) => ({
  isSchema: isSchema !== undefined,
  text: text!,
}));
const schema = buildSchema(`${directives}\n${blocks.find((block) => block.isSchema)!.text}`);
const examples = blocks
  .filter((block) => !block.isSchema)
  .map(({ text }) => ({
    text,
    cost: /^# cost: (\w+)/m.exec(text)?.[1],
    variables: JSON.parse(/^# variables: (.*)$/m.exec(text)?.[1] ?? '{}') as Record<string, unknown>,
  }));

describe('the page on the cost model', () => {
  it('the page on the cost model has examples', () => {
    expect(examples.length).toBeGreaterThan(12);
  });

  it.each(examples)('the page on the cost model has the correct cost of $text', ({ text, cost, variables }) => {
    const document = parse(text);
    expect(validate(schema, document)).toEqual([]);
    let answer: string;
    try {
      answer = String(createCostAnalyzer(schema, { minimumCost: 0 }).compile(document).estimate(variables).cost);
    } catch (error) {
      if (!(error instanceof CostError)) throw error;
      answer = error.code;
    }
    expect(answer).toBe(cost);
  });
});
