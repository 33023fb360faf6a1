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
    'split: 5 calls of Query.item per 1000 days per caller, of which 2 in this region: all used',
  );
  const large = await ask('{ items(first: 41) { name } }');
  expect(large.errors![0]!.extensions).toMatchObject({
    code: 'MAX_COST_EXCEEDED',
    deniedBy: 'tier:free',
    limit: 40,
  });
  const quota = await tollgate.quota({ user });
  const shown = Object.fromEntries(quota.map(({ rule, limit, wholeLimit }) => [rule, [limit, wholeLimit]]));
  expect(shown).toMatchObject({ 'tier:free': [40, 100], split: [2, 5], central: [5, 5] });
});
