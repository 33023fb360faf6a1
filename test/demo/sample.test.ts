import { expect, it } from 'vitest';
import { createSample } from '../../packages/platform/src/sample.js';
import { costTypeDefs } from '../../src/cost/schema/cost-type-defs.js';
import { rateLimitResolvers, rateLimitTypeDefs } from '../../src/protection/answer/rate-limit-numbers.js';
import type { Sample } from '../../src/server/commands/load-sample.js';

it('createSample returns the members that the commands load from tollgate-platform', () => {
  const sample: Sample = createSample({ costTypeDefs, rateLimitTypeDefs, rateLimitResolvers });
  expect(Object.keys(sample).sort()).toEqual([
    'callers',
    'context',
    'createTraffic',
    'keys',
    'rules',
    'schema',
    'tiers',
  ]);
});
