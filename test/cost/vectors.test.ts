import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import type { ProfileName } from '../../src/cost/settings/cost-profile.js';

interface VectorFile {
  sets: {
    schema: string;
    profile?: ProfileName;
    defaultListSize: number;
    minimumCost: number;
    cases: {
      name: string;
      profile?: ProfileName;
      query: string;
      variables?: Record<string, unknown>;
      expected: Partial<Record<'cost' | 'typeCost' | 'fieldCost' | 'requests' | 'nodes', number>>;
    }[];
  }[];
}

const folder = new URL('../vectors/', import.meta.url);
const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const { sets } = JSON.parse(readFileSync(new URL('cost.json', folder), 'utf8')) as VectorFile;

describe.each(sets)('published prices of $schema', (set) => {
  const schema = buildSchema(`${directives}\n${readFileSync(new URL(set.schema, folder), 'utf8')}`);

  it.each(
    set.cases.map((each) => ({ ...each, profile: each.profile ?? set.profile ?? 'tokens' })),
  )('the published price of $name is correct in profile $profile', ({ profile, query, variables, expected }) => {
    const { defaultListSize, minimumCost } = set;
    const document = parse(query);
    expect(validate(schema, document)).toEqual([]);
    const plan = createCostAnalyzer(schema, { profile, defaultListSize, minimumCost }).compile(document);
    expect(plan.estimate(variables)).toMatchObject(expected);
  });
});
