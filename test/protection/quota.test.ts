import { expect, it } from 'vitest';
import { createProtectionLimiter } from '../../src/limiter/create-limiter.js';
import { createQuota } from '../../src/protection/create-quota.js';
import { createRuleset } from '../../src/rules/matching/ruleset.js';
import { parsePolicy } from '../../src/rules/policy/parse-policy.js';

it('a quota of 500 limits is read with at most four concurrent calls', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `rule-${index}`);
  const policy = parsePolicy({
    tiers: [{ name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 1000, isDefault: true }],
    rules: names.map((name, index) => ({
      name,
      scope: 'USER' as const,
      field: `Query.field${index}`,
      measure: 'CALLS' as const,
      limits: [{ algorithm: 'FIXED_WINDOW' as const, amount: index + 1, windowMs: 60_000 }],
    })),
  });
  if (policy.problems) throw new Error(policy.problems.join());
  const ruleset = createRuleset({ ...policy, version: 1 });
  const limiter = createProtectionLimiter();
  let [running, most] = [0, 0];
  const { quota } = createQuota({
    ruleset: () => ruleset,
    limiter: {
      ...limiter,
      async peek(request) {
        most = Math.max(most, ++running);
        const states = await limiter.peek(request);
        await new Promise(setImmediate);
        running--;
        return states;
      },
    },
  });
  const entries = await quota({ user: 'ann' });
  const amounts = new Map(entries.map(({ rule, limit }) => [rule, limit]));
  expect(names.map((name) => amounts.get(name))).toEqual(names.map((_, index) => index + 1));
  expect(most).toBe(4);
});
