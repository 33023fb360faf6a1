import { expect, it } from 'vitest';
import { createLimiter } from '../../src/limiter/create-limiter.js';
import { parsePolicy } from '../../src/rules/policy/parse-policy.js';

const LIMIT = { algorithm: 'CONCURRENCY', capacity: 5, leaseMs: 60_000 } as const;

function mistakesOf(limit: object): string[] {
  const rules = [{ name: 'slots', scope: 'USER', field: '*', measure: 'REQUESTS', limits: [limit] }];
  return parsePolicy({ tiers: [], rules }).problems ?? [];
}

it.each([
  [{ ...LIMIT, maxWaitMs: 0 }, /limits\[0\]\.maxWaitMs: .*1.*60000/],
  [{ ...LIMIT, maxWaitMs: 60_001 }, /limits\[0\]\.maxWaitMs: .*1.*60000/],
  [{ ...LIMIT, maxWaitMs: 'soon' }, /limits\[0\]\.maxWaitMs: /],
  [{ algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 1000, maxWaitMs: 5 }, /limits\[0\]\.maxWaitMs: .*FIXED_WINDOW/],
  [{ ...LIMIT, maxWaitMs: 5, maxQueue: 0 }, /limits\[0\]\.maxQueue: .*1.*10000/],
  [{ ...LIMIT, maxWaitMs: 5, maxQueue: 1.5 }, /limits\[0\]\.maxQueue: /],
  [{ ...LIMIT, maxQueue: 5 }, /limits\[0\]\.maxQueue: has no effect without maxWaitMs/],
  [{ ...LIMIT, maxWait: 5 }, /maxWait.*did you mean maxWaitMs/],
])('the limit %j is a mistake that names the member', (limit, message) => {
  expect(mistakesOf(limit).join('\n')).toMatch(message);
});

it('a limit that lets operations wait is valid', () => {
  expect(mistakesOf({ ...LIMIT, maxWaitMs: 60_000, maxQueue: 10_000 })).toEqual([]);
});

it.each([
  [{ maxWaitMs: -1 }, /"slots": maxWaitMs: expected a whole number from 0 to 60000, got -1/],
  [{ maxWaitMs: 60_001 }, /maxWaitMs: expected a whole number from 0 to 60000, got 60001/],
  [{ maxQueue: 0 }, /maxQueue: expected a whole number from 1 to 10000, got 0/],
  [{ maxQueue: Number.NaN }, /maxQueue: expected a whole number/],
  [{ maxWait: 5 }, /maxWait: unknown member.*did you mean maxWaitMs/],
])('the limiter rejects a limit with %j', async (members, message) => {
  const limiter = createLimiter();
  const limit = { id: 'slots', scope: 'USER' as const, ...LIMIT, cost: 1, ...members };
  await expect(limiter.charge({ subject: { user: 'ann' }, limits: [limit] })).rejects.toThrow(message);
  await limiter.close();
});
