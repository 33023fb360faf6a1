import { buildSchema } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { createProtect } from '../../src/any-server/protect.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createPersistedTexts } from '../../src/documents/create-persisted-texts.js';
import { createProtectionLimiter } from '../../src/limiter/create-limiter.js';
import { createFee } from '../../src/protection/charge-fee.js';
import { createQuota } from '../../src/protection/create-quota.js';
import { createRuleset } from '../../src/rules/matching/ruleset.js';
import { parsePolicy, type RuleInput, type TierInput } from '../../src/rules/policy/parse-policy.js';

const schema = buildSchema(`
  directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
  type Query { items(first: Int!): [Item] @listSize(slicingArguments: ["first"]) }
  type Item { id: ID }
`);

const ONE_AT_A_TIME: RuleInput = {
  name: 'one-at-a-time',
  scope: 'GLOBAL',
  field: '*',
  measure: 'REQUESTS',
  limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 600_000, maxWaitMs: 60_000 }],
};

function rulesetOf(tier: Partial<TierInput> = {}) {
  const refill = { refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true };
  const policy = parsePolicy({
    tiers: [{ name: 'free', capacity: 100, ...refill, ...tier } as TierInput],
    rules: [ONE_AT_A_TIME],
  });
  if (policy.problems) throw new Error(policy.problems.join());
  return createRuleset({ ...policy, version: 1 });
}

/** An API whose only slot is in use, with rules that the test changes. */
async function start() {
  let ruleset = rulesetOf();
  const limiter = createProtectionLimiter({});
  onTestFinished(() => limiter.close());
  const { protect } = createProtect<{ user: string }>({
    schema,
    analyzer: createCostAnalyzer(schema),
    limiter,
    ruleset: () => ruleset,
    identify: ({ contextValue }) => ({ user: contextValue.user }),
    chargeFee: createFee({ limiter, fee: 1, mode: 'ENFORCE', denialStatus: 429 }),
    documentCacheBytes: undefined,
    persistedTexts: createPersistedTexts({ shared: undefined }),
  });
  const ask = (user: string, first: number) =>
    protect({ query: `{ items(first: ${first}) { id } }`, contextValue: { user } });
  const held = await ask('holder', 1);
  if (!held.admitted) throw new Error('expected an admitted operation');
  const { quota } = createQuota({ limiter, ruleset: () => ruleset });
  return {
    ask,
    left: async (user: string) => (await quota({ user })).find(({ rule }) => rule === 'tier:free')!.remaining,
    waiting: () => limiter.waits().waiting,
    free: () => held.run(() => ({ data: { items: [] } })),
    change: (tier: Partial<TierInput>) => {
      ruleset = rulesetOf(tier);
    },
  };
}

test('an operation that waits for a slot is rejected if it exceeds a new maximum, pays the fee, and leaves its slot to the next', async () => {
  const { ask, left, waiting, free, change } = await start();
  const large = ask('ann', 40);
  await expect.poll(waiting).toBe(1);
  const small = ask('bob', 5);
  await expect.poll(waiting).toBe(2);
  change({ maxCostPerOperation: 10 });
  await free();
  const rejected = await large;
  if (rejected.admitted) throw new Error('expected a rejection');
  expect(rejected.answer).toMatchObject({
    status: 400,
    body: { errors: [{ extensions: { code: 'MAX_COST_EXCEEDED', cost: 40, limit: 10, deniedBy: 'tier:free' } }] },
  });
  expect(await left('ann')).toBe(99);
  expect((await small).admitted).toBe(true);
});

test('an operation that waits for a slot is admitted under new rules that allow it', async () => {
  const { ask, left, waiting, free, change } = await start();
  const waits = ask('ann', 40);
  await expect.poll(waiting).toBe(1);
  change({ maxCostPerOperation: 40 });
  await free();
  const admitted = await waits;
  if (!admitted.admitted) throw new Error('expected an admitted operation');
  expect(await left('ann')).toBe(60);
});
