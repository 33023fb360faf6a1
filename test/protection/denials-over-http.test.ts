import { expect, test } from 'vitest';
import { errorOf } from '../../src/model/errors.js';
import type { RuleInput, TierInput } from '../../src/rules/policy/parse-policy.js';
import { protectedApi } from '../helpers/testkit.js';

const SLOTS: RuleInput = {
  name: 'one at a time',
  scope: 'USER',
  field: '*',
  measure: 'REQUESTS',
  limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 60_000 }],
};

test('a denial by a concurrency limit names the limit and the time of the next attempt', async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { ask } = await protectedApi({
    schema: 'type Query { slow: Int }',
    resolvers: { Query: { slow: () => finished.then(() => 1) } },
    rules: [SLOTS],
  });
  const both = [ask('{ slow }'), ask('{ slow }')];
  const denied = await Promise.race(both);
  finish();
  expect(denied.status).toBe(429);
  const waitSeconds = Number(denied.headers.get('retry-after'));
  // The lease of the other operation began a moment earlier.
  expect(waitSeconds).toBeGreaterThan(30);
  expect(waitSeconds).toBeLessThanOrEqual(60);
  expect(denied.errors![0]!.message).toBe(
    `Rate limit exceeded: one at a time: 1 request at a time per caller: all in use; retry when other operations end, or in ${waitSeconds} seconds`,
  );
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 429]);
  expect((await ask('{ slow }')).status).toBe(200);
});

test.each<[string, Partial<TierInput>, true | undefined]>([
  ['has isConcurrency when only slots are lacking', {}, true],
  ['has no isConcurrency when tokens are lacking too', { capacity: 1 }, undefined],
  ['has no isConcurrency when the tier hides numbers', { answer: 'NONE' }, undefined],
])('a denial by a concurrency limit %s', async (_, tier, expected) => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { ask } = await protectedApi({
    schema: 'type Query { slow: Int @cost(weight: "1") }',
    resolvers: { Query: { slow: () => finished.then(() => 1) } },
    rules: [SLOTS],
    tier,
  });
  const both = [ask('{ slow }'), ask('{ slow }')];
  const denied = await Promise.race(both);
  finish();
  await Promise.all(both);
  expect(denied.errors![0]!.extensions).toMatchObject({ code: 'THROTTLED' });
  expect(denied.errors![0]!.extensions['isConcurrency']).toBe(expected);
});

test('a 401 response contains the scheme of the expected credential', async () => {
  const { ask } = await protectedApi({
    identify: () => {
      throw errorOf('UNAUTHENTICATED', 'Invalid credentials');
    },
  });
  const { status, headers, errors } = await ask('{ item { name } }');
  expect([status, errors![0]!.extensions['code']]).toEqual([401, 'UNAUTHENTICATED']);
  expect(headers.get('www-authenticate')).toBe('Bearer realm="Tollgate"');
});
