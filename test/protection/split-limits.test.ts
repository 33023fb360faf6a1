import { expect, inject, test } from 'vitest';
import { protectedApi } from '../helpers/testkit.js';

const region = { name: 'eu', shares: { ap: 30, eu: 40, us: 30 }, tierMode: 'SPLIT' } as const;

test.each([
  'memory',
  'Redis',
])('in %s, a region enforces its share of a tier and of a split rule, and whole rules as they are', async (where) => {
  const { ask, tollgate, user } = await protectedApi({
    ...(where === 'Redis' && { redis: inject('redisUrl'), deadlineMs: 20_000 }),
    region,
    fee: 0,
    rules: (['SPLIT', 'CENTRAL'] as const).map((regionMode) => ({
      name: regionMode.toLowerCase(),
      scope: 'USER',
      field: regionMode === 'SPLIT' ? 'Query.item' : 'Query.search',
      measure: 'CALLS',
      regionMode,
      limits: [{ algorithm: 'FIXED_WINDOW', amount: 5, windowMs: 86_400_000_000 }],
    })),
  });
  expect((await ask('{ item { name } }')).status).toBe(200);
  expect((await ask('{ item { name } }')).status).toBe(200);
  const denied = await ask('{ item { name } }');
  expect(denied.status).toBe(429);
  expect(denied.errors![0]!.message).toContain(
    'split: 5 calls of Query.item per 1000 days per caller, of which 2 in the region eu: all used',
  );
  expect(denied.errors![0]!.extensions).toMatchObject({ limit: 2, region: { name: 'eu', wholeLimit: 5 } });
  // The refill rate and the policy are those of the region too: clients pace themselves by them.
  expect(denied.cost).toMatchObject({
    throttleStatus: { maximumAvailable: 40, restoreRate: 0.4 / 86_400, region: { name: 'eu', wholeLimit: 100 } },
    limits: [{ rule: 'split', limit: 2, remaining: 0, region: { name: 'eu', wholeLimit: 5 } }],
  });
  expect(denied.headers.get('ratelimit-policy')).toMatch(/"split";q=2;w=86400000;.*"tier:free";q=40;w=8640000;/);
  const large = await ask('{ items(first: 41) { name } }');
  expect(large.errors![0]!.extensions).toMatchObject({
    code: 'MAX_COST_EXCEEDED',
    deniedBy: 'tier:free',
    limit: 40,
    region: { name: 'eu', wholeLimit: 100 },
  });
  expect(large.errors![0]!.message).toContain('allows at most 40 in the region eu, and 100 in all regions');
  const quota = await tollgate.quota({ user });
  const shown = quota.map(({ rule, limit, wholeLimit, region }) => [rule, [limit, wholeLimit, region]]);
  expect(Object.fromEntries(shown)).toMatchObject({
    'tier:free': [40, 100, 'eu'],
    split: [2, 5, 'eu'],
    central: [5, 5, undefined],
  });
});
