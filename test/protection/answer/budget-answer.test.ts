import { buildSchema } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createTestTollgate,
  expectAdmitted,
  expectDenied,
  type TestTollgate,
  type TestTollgateOptions,
} from '../../../src/entry/testing.js';

const schema = buildSchema(`
  type Query { products(first: Int): [Product] @listSize(slicingArguments: ["first"]) }
  type Product { id: ID }
  directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
`);
type Tiers = NonNullable<TestTollgateOptions['tiers']>;
const BUDGET = { amount: 100, every: 'MONTH', timeZone: 'Europe/Berlin', hardCap: 150 } as const;
const TIERS: Tiers = [{ name: 'plan', capacity: 1000, refillAmount: 1, isDefault: true, budget: BUDGET }];
const DAY_MS = 86_400_000;

const opened: TestTollgate[] = [];
async function open(options: Partial<TestTollgateOptions> = {}): Promise<TestTollgate> {
  const tollgate = await createTestTollgate({ schema, tiers: TIERS, startsAt: '2026-02-10T00:00:00Z', ...options });
  opened.push(tollgate);
  return tollgate;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
const products = (first: number) => `{ products(first: ${first}) { id } }`;
const ANNA = { user: 'anna' };

describe('responses on a tier with a budget', () => {
  it('extensions.cost reports the budget with its overage, next to the bucket', async () => {
    const tollgate = await open();
    const { response } = expectAdmitted(await tollgate.send({ caller: ANNA, query: products(120) }));
    expect(response.body.extensions?.cost).toMatchObject({
      throttleStatus: { maximumAvailable: 1000, currentlyAvailable: 880 },
      budget: {
        amount: 100,
        used: 120,
        overage: 20,
        resetsAt: '2026-02-28T23:00:00.000Z',
        every: 'MONTH',
        timeZone: 'Europe/Berlin',
      },
    });
    expect(response.body.extensions?.cost).not.toHaveProperty('limits');
  });

  it('the headers contain the actual length of the period, which differs from month to month', async () => {
    const tollgate = await open();
    const policyOf = async () => {
      const { response } = await tollgate.send({ caller: ANNA, query: products(1) });
      return response.headers['ratelimit-policy'];
    };
    expect(await policyOf()).toContain(`"tier:plan:budget";q=150;w=${28 * 86_400};tollgate-unit="tokens"`);
    tollgate.advance(30 * DAY_MS);
    // In March, the clocks of Berlin skip an hour.
    expect(await policyOf()).toContain(`"tier:plan:budget";q=150;w=${31 * 86_400 - 3600};`);
  });

  it('a denial by the budget describes it in words and waits until the next period', async () => {
    const tollgate = await open();
    expectAdmitted(await tollgate.send({ caller: ANNA, query: products(150) }));
    const denied = expectDenied(await tollgate.send({ caller: ANNA, query: products(1) }), {
      by: 'tier:plan:budget',
      code: 'THROTTLED',
    });
    const waitMs = Date.parse('2026-02-28T23:00:00Z') - Date.parse('2026-02-10T00:00:00Z');
    expect(denied.retryAfterMs).toBe(waitMs);
    expect(denied.response.headers['retry-after']).toBe(String(waitMs / 1000));
    expect(denied.message).toBe(
      'Rate limit exceeded: tier:plan:budget: 150 tokens per month (Europe/Berlin) per caller: all used; retry in 19 days',
    );
    tollgate.advance(waitMs - 1);
    expectDenied(await tollgate.send({ caller: ANNA, query: products(1) }), { retryAfterMs: 1 });
    tollgate.advance(1);
    expectAdmitted(await tollgate.send({ caller: ANNA, query: products(1) }));
  });

  it('the bucket and the budget are charged together, or neither of them', async () => {
    const tollgate = await open({ tiers: [{ ...TIERS[0]!, capacity: 80 }] });
    expectAdmitted(await tollgate.send({ caller: ANNA, query: products(80) }));
    expectDenied(await tollgate.send({ caller: ANNA, query: products(10) }), { by: 'tier:plan' });
    const used = async () => (await tollgate.quota(ANNA)).map(({ rule, used }) => [rule, used]);
    expect(await used()).toEqual([
      ['tier:plan', 80],
      ['tier:plan:budget', 80],
    ]);
  });

  it('the quota has the current period with its usage, overage and rest of the previous period', async () => {
    const budget = { amount: 100, every: 'WEEK', hardCap: 150, carryOver: { percent: 50, max: 30 } } as const;
    const tollgate = await open({ tiers: [{ ...TIERS[0]!, budget }] });
    expectAdmitted(await tollgate.send({ caller: ANNA, query: products(90) }));
    const period = async () => (await tollgate.quota(ANNA)).find(({ rule }) => rule === 'tier:plan:budget');
    const week = { every: 'WEEK', timeZone: 'UTC', lengthMs: 7 * DAY_MS, amount: 100 };
    // The 30 tokens that the week before left unused are used first.
    expect(await period()).toMatchObject({ limit: 150, used: 60, period: { ...week, overage: 0, carriedOver: 0 } });
    tollgate.advance(7 * DAY_MS);
    expect(await period()).toMatchObject({ used: 0, remaining: 170, period: { ...week, overage: 0, carriedOver: 20 } });
    expectAdmitted(await tollgate.send({ caller: ANNA, query: products(140) }));
    expect(await period()).toMatchObject({ used: 120, remaining: 30, period: { overage: 20, carriedOver: 0 } });
  });

  it('two callers with different billing anchors have different periods of one rule', async () => {
    const limits = [
      { algorithm: 'CALENDAR_WINDOW' as const, amount: 10, every: 'MONTH' as const, anchor: 'SUBJECT' as const },
    ];
    const tollgate = await open({ rules: [{ name: 'monthly', scope: 'USER', field: '*', limits }] });
    const resetOf = async (billingAnchor?: string) => {
      const caller = { user: `user-${billingAnchor}`, ...(billingAnchor && { billingAnchor }) };
      const entry = (await tollgate.quota(caller)).find(({ rule }) => rule === 'monthly')!;
      return new Date(entry.resetAtMs).toISOString().slice(0, 10);
    };
    expect(await resetOf()).toBe('2026-03-01');
    expect(await resetOf('2024-01-31')).toBe('2026-02-28');
    expect(await resetOf('2025-12-05')).toBe('2026-03-05');
  });

  it('a tier without a bucket may have a budget, and its callers are not unlimited', async () => {
    const tollgate = await open({ tiers: [{ name: 'plan', capacity: null, isDefault: true, budget: BUDGET }] });
    const { response } = expectAdmitted(await tollgate.send({ caller: ANNA, query: products(150) }));
    expect(response.body.extensions?.cost).toMatchObject({ throttleStatus: null, budget: { used: 150, overage: 50 } });
    expect(response.body.extensions?.cost).not.toHaveProperty('unlimited');
    expectDenied(await tollgate.send({ caller: ANNA, query: products(1) }), { by: 'tier:plan:budget' });
  });

  it('an operation that costs more than the hard cap is too expensive', async () => {
    const tollgate = await open();
    expectDenied(await tollgate.send({ caller: ANNA, query: products(151) }), {
      by: 'tier:plan:budget',
      code: 'MAX_COST_EXCEEDED',
    });
  });

  it('rejected requests pay the fee from the budget too', async () => {
    const tollgate = await open({ tiers: [{ ...TIERS[0]!, budget: { amount: 2, every: 'DAY' } }], fee: 1 });
    const wrong = { caller: ANNA, query: products(3) };
    await tollgate.send(wrong);
    await tollgate.send(wrong);
    expectDenied(await tollgate.send(wrong), { by: 'tier:plan:budget', code: 'THROTTLED' });
  });

  it('a rule that exempts callers from the bucket also exempts them from the budget', async () => {
    const tollgate = await open({
      rules: [{ name: 'free', scope: 'USER', field: '*', action: { type: 'EXEMPT' } }],
    });
    const { response } = expectAdmitted(await tollgate.send({ caller: ANNA, query: products(500) }));
    expect(response.body.extensions?.cost).not.toHaveProperty('budget');
  });
});
