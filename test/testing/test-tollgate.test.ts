import { buildSchema } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createTestTollgate,
  expectAdmitted,
  expectDenied,
  type TestTollgate,
  type TestTollgateOptions,
} from '../../src/entry/testing.js';

const schema = buildSchema(`
  type Query { products(first: Int): [Product] @listSize(slicingArguments: ["first"]), search(text: String): Int }
  type Product { id: ID }
  directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
`);
const TIERS: NonNullable<TestTollgateOptions['tiers']> = [
  { name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 1000, isDefault: true },
  { name: 'pro', capacity: 10_000, refillAmount: 100 },
];
const SEARCH = '{ search(text: "a") }';
const TEN_PRODUCTS = '{ products(first: 10) { id } }';
const searchRule = (more: object = {}) => ({
  name: 'search-per-user',
  scope: 'USER' as const,
  field: 'Query.search',
  measure: 'CALLS' as const,
  limits: [{ algorithm: 'FIXED_WINDOW' as const, amount: 2, windowMs: 60_000 }],
  ...more,
});

const opened: TestTollgate[] = [];
async function open(options: Partial<TestTollgateOptions> = {}): Promise<TestTollgate> {
  const tollgate = await createTestTollgate({ schema, tiers: TIERS, ...options });
  opened.push(tollgate);
  return tollgate;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

describe('createTestTollgate', () => {
  it('a test Tollgate denies an operation that exceeds the limit of a window, and admits it once the clock has advanced', async () => {
    const tollgate = await open({ rules: [searchRule()] });
    const send = () => tollgate.send({ caller: { user: 'anna' }, query: SEARCH });
    expectAdmitted(await send());
    tollgate.advance(20_000);
    expectAdmitted(await send());
    expectDenied(await send(), { by: 'search-per-user', code: 'THROTTLED', retryAfterMs: 40_000 });
    tollgate.advance(39_999);
    expectDenied(await send(), { retryAfterMs: 1 });
    tollgate.advance(1);
    expectAdmitted(await send());
  });

  it('a tier without a bucket admits everything that no rule or maximum limits, and reports that it is unlimited', async () => {
    const tiers = [
      { ...TIERS[0]!, answer: 'FULL' as const },
      { name: 'staff', capacity: null, maxCostPerOperation: 500 },
    ];
    const tollgate = await open({ tiers, rules: [searchRule()] });
    const staff = { user: 'anna', tier: 'staff' };
    const send = (query: string, caller: object = staff) => tollgate.send({ caller, query });
    for (let count = 0; count < 100; count++) {
      const { requestedCost } = expectAdmitted(await send('{ products(first: 200) { id } }'));
      expect(requestedCost).toBeGreaterThan(100);
    }
    const { response } = await send('{ products(first: 200) { id } }');
    const { extensions } = response.body as { extensions: { cost: object } };
    expect(extensions.cost).toMatchObject({ throttleStatus: null, unlimited: true });
    expect(Object.keys(response.headers).filter((name) => /ratelimit/.test(name))).toEqual(['x-ratelimit-cost']);
    expectDenied(await send('{ products(first: 600) { id } }'), { code: 'MAX_COST_EXCEEDED' });
    expectAdmitted(await send(SEARCH));
    expectAdmitted(await send(SEARCH));
    expectDenied(await send(SEARCH), { by: 'search-per-user' });
    expect(await tollgate.quota(staff)).toMatchObject([{ rule: 'search-per-user' }]);
    // The bucket counts only what the caller spends on a tier with a bucket.
    expectAdmitted(await send(TEN_PRODUCTS, { user: 'anna', tier: 'free' }));
    // A bucket of the caller applies on each tier.
    const bucket = { capacity: 15, refillAmount: 1, refillPeriodMs: 1000 };
    expectDenied(await send('{ products(first: 20) { id } }', { ...staff, bucket }), { by: 'tier:staff' });
  });

  it('a rule applies only in its hours, and its counter continues with the rule that replaces it', async () => {
    const night = { ...searchRule({ name: 'night', priority: 1 }), schedule: { from: '22:00', to: '06:00' } };
    const limits = (amount: number) => [{ algorithm: 'FIXED_WINDOW' as const, amount, windowMs: 86_400_000 }];
    const rules = [searchRule({ limits: limits(2) }), { ...night, limits: limits(4) }];
    const tollgate = await open({ startsAt: '2026-01-01T21:00:00Z', rules });
    const send = () => tollgate.send({ caller: { user: 'anna' }, query: SEARCH });
    expectAdmitted(await send());
    expectAdmitted(await send());
    expectDenied(await send(), { by: 'search-per-user' });
    tollgate.advance(3_600_000);
    expectAdmitted(await send());
    expectAdmitted(await send());
    expectDenied(await send(), { by: 'night' });
    // A new day begins at midnight, and with it a new window.
    tollgate.advance(2 * 3_600_000);
    for (let count = 0; count < 4; count++) expectAdmitted(await send());
    tollgate.advance(6 * 3_600_000);
    expectDenied(await send(), { by: 'search-per-user' });
  });

  it('a rule applies from its `activeFrom` until its `activeUntil`', async () => {
    const times = { activeFrom: '2026-01-01T01:00:00+01:00', activeUntil: '2026-01-01T00:01:00Z' };
    const rule = searchRule({ ...times, limits: [{ algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 3_600_000 }] });
    const tollgate = await open({ startsAt: '2025-12-31T23:59:59Z', rules: [rule] });
    const send = () => tollgate.send({ caller: { user: 'anna' }, query: SEARCH });
    for (let count = 0; count < 3; count++) expectAdmitted(await send());
    tollgate.advance(1000);
    expectAdmitted(await send());
    expectDenied(await send(), { by: 'search-per-user' });
    tollgate.advance(60_000);
    expectAdmitted(await send());
  });

  it('a rule for pairs counts each user at each address separately', async () => {
    const tollgate = await open({ rules: [searchRule({ scope: 'USER_AND_IP' })] });
    const send = (user: string | undefined, ip: string) =>
      tollgate.send({ caller: { ...(user && { user }), ip }, query: SEARCH });
    for (const user of ['anna', 'ben', undefined]) {
      for (const ip of ['192.0.2.1', '192.0.2.2']) {
        expectAdmitted(await send(user, ip));
        expectAdmitted(await send(user, ip));
        expectDenied(await send(user, ip), { by: 'search-per-user' });
      }
    }
    const withoutAddress = () => tollgate.send({ caller: { user: 'anna' }, query: SEARCH });
    for (let count = 0; count < 3; count++) expectAdmitted(await withoutAddress());
  });

  it('a test Tollgate refills a bucket only when the test advances the clock', async () => {
    const tollgate = await open();
    const send = () => tollgate.send({ caller: { user: 'anna' }, query: '{ products(first: 60) { id } }' });
    const { requestedCost } = expectAdmitted(await send());
    const missing = 2 * requestedCost - 100;
    expectDenied(await send(), { by: 'tier:free', retryAfterMs: missing * 1000 });
    tollgate.advance(missing * 1000 - 1);
    expectDenied(await send(), { retryAfterMs: 1 });
    tollgate.advance(1);
    expectAdmitted(await send());
  });

  it('a test Tollgate counts the operations of each caller separately, and applies a rule only to its tiers', async () => {
    const tollgate = await open({ rules: [searchRule({ match: { tiers: ['free'] } })] });
    for (const user of ['anna', 'ben']) {
      for (let call = 0; call < 2; call++) expectAdmitted(await tollgate.send({ caller: { user }, query: SEARCH }));
      expectDenied(await tollgate.send({ caller: { user }, query: SEARCH }), { by: 'search-per-user' });
    }
    for (let call = 0; call < 5; call++) {
      expectAdmitted(await tollgate.send({ caller: { user: 'carl', tier: 'pro' }, query: SEARCH }));
    }
    for (let call = 0; call < 2; call++) expectAdmitted(await tollgate.send({ query: SEARCH }));
    expectDenied(await tollgate.send({ query: SEARCH }), { by: 'search-per-user' });
  });

  it('a test Tollgate charges the actual cost of the given or executed data, and the estimate if there is no data', async () => {
    const tollgate = await open();
    const caller = { user: 'anna' };
    const remaining = async () => {
      const [bucket] = await tollgate.quota(caller);
      return bucket!.remaining;
    };
    const estimated = expectAdmitted(await tollgate.send({ caller, query: TEN_PRODUCTS }));
    expect(estimated.paidCost).toBe(estimated.requestedCost);
    expect(await remaining()).toBe(100 - estimated.requestedCost);
    const data = { products: [{ id: '1' }, { id: '2' }] };
    const byData = expectAdmitted(await tollgate.send({ caller, query: TEN_PRODUCTS, data }));
    expect(byData.requestedCost).toBe(estimated.requestedCost);
    expect(byData.paidCost).toBeGreaterThan(0);
    expect(byData.paidCost).toBeLessThan(byData.requestedCost);
    const byExecution = expectAdmitted(await tollgate.send({ caller, query: TEN_PRODUCTS, execute: () => ({ data }) }));
    expect(byExecution.paidCost).toBe(byData.paidCost);
    expect(byExecution.response.body.data).toEqual(data);
    expect(await remaining()).toBe(100 - estimated.requestedCost - 2 * byData.paidCost);
  });

  it('an operation that a test begins holds its concurrency slot until the test finishes it', async () => {
    const rules = [
      {
        name: 'one-at-a-time',
        scope: 'USER' as const,
        field: '*',
        measure: 'REQUESTS' as const,
        limits: [{ algorithm: 'CONCURRENCY' as const, capacity: 1, leaseMs: 60_000 }],
      },
    ];
    const tollgate = await open({ rules });
    const request = { caller: { user: 'anna' }, query: SEARCH };
    const running = await tollgate.begin(request);
    expectAdmitted(running.result);
    expectDenied(await tollgate.send(request), { by: 'one-at-a-time' });
    const finished = await running.finish({ data: { search: 1 } });
    expect(await running.finish()).toBe(finished);
    expectAdmitted(await tollgate.send(request));
  });

  it('a result names the rule that would have denied, if that rule or the whole Tollgate is in shadow mode', async () => {
    const ofRule = await open({ rules: [searchRule({ mode: 'SHADOW' })] });
    for (let call = 0; call < 2; call++) await ofRule.send({ query: SEARCH });
    expect(expectAdmitted(await ofRule.send({ query: SEARCH })).shadowDeniedBy).toEqual(['search-per-user']);
    const ofAll = await open({ rules: [searchRule()], mode: 'SHADOW' });
    for (let call = 0; call < 2; call++) await ofAll.send({ query: SEARCH });
    const admitted = expectAdmitted(await ofAll.send({ query: SEARCH }));
    expect(admitted.shadowDeniedBy).toEqual(['search-per-user']);
    expect(admitted.response.body.extensions?.cost?.shadow).toEqual({ wouldDeny: 'search-per-user' });
  });

  it('a result contains the response that a client would receive', async () => {
    const tollgate = await open({ rules: [searchRule()] });
    for (let call = 0; call < 2; call++) await tollgate.send({ query: SEARCH });
    const { response } = await tollgate.send({ query: SEARCH });
    expect(response.status).toBe(429);
    expect(response.headers['retry-after']).toBe('60');
  });

  it('a test Tollgate reports an invalid operation as denied, with its code and no cost', async () => {
    const tollgate = await open();
    const result = expectDenied(await tollgate.send({ query: '{ nothing }' }), { code: 'GRAPHQL_VALIDATION_FAILED' });
    expect(result.requestedCost).toBe(0);
    expect(result.deniedBy).toBeUndefined();
  });

  it('each of several concurrent operations gets its own result', async () => {
    const tollgate = await open({ rules: [searchRule()] });
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        tollgate.send({ caller: { user: `u${index % 3}` }, query: index % 2 === 0 ? SEARCH : TEN_PRODUCTS }),
      ),
    );
    for (const [index, result] of results.entries()) {
      expectAdmitted(result, { cost: results[index % 2]!.requestedCost });
    }
    expect(results[0]!.requestedCost).not.toBe(results[1]!.requestedCost);
  });

  it('the clock of a test Tollgate starts at the given time, and windows are aligned to that clock', async () => {
    const tollgate = await open({ rules: [searchRule()], startsAt: '2026-05-01T12:00:50Z' });
    for (let call = 0; call < 2; call++) expectAdmitted(await tollgate.send({ query: SEARCH }));
    expectDenied(await tollgate.send({ query: SEARCH }), { retryAfterMs: 10_000 });
    expect(new Date(tollgate.nowMs()).toISOString()).toBe('2026-05-01T12:00:50.000Z');
  });

  it('denials of operations and of fees contain the time to retry, by the clock of the test', async () => {
    const tollgate = await open({ tiers: [{ ...TIERS[0]!, capacity: 10 }] });
    expectAdmitted(await tollgate.send({ query: TEN_PRODUCTS }));
    for (const query of [TEN_PRODUCTS, '{']) {
      const { retryAfterMs, response } = expectDenied(await tollgate.send({ query }), { code: 'THROTTLED' });
      const { retryAt } = response.body.errors![0]!.extensions!;
      expect(retryAt).toBe(new Date(tollgate.nowMs() + retryAfterMs!).toISOString());
    }
  });

  it('a test Tollgate rejects invalid options and arguments with an error that names them', async () => {
    await expect(open({ startsAt: 'yesterday' })).rejects.toThrow(/startsAt: expected a date such as .*"yesterday"/);
    await expect(open({ rules: [searchRule({ scope: 'USERS' })] })).rejects.toThrow(/scope/);
    const tollgate = await open();
    await expect(tollgate.send({ caller: { user: 'a', tier: 'fre' }, query: SEARCH })).rejects.toThrow(
      /caller\.tier: there is no tier "fre".*did you mean free\?/,
    );
    for (const ms of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => tollgate.advance(ms)).toThrow(/advance: expected a positive number of milliseconds/);
    }
  });
});

describe('expectAdmitted and expectDenied', () => {
  it('expectAdmitted and expectDenied name the expected and the actual values if they differ', async () => {
    const tollgate = await open({ rules: [searchRule()] });
    const admitted = await tollgate.send({ query: SEARCH });
    await tollgate.send({ query: SEARCH });
    const denied = await tollgate.send({ query: SEARCH });
    expect(() => expectDenied(admitted)).toThrow(/expected the operation to be denied; it was admitted at a cost of/);
    expect(() => expectAdmitted(denied)).toThrow(/expected the operation to be admitted; .*THROTTLED.*search-per-user/);
    expect(() => expectAdmitted(admitted, { cost: 99 })).toThrow(/expected a cost of 99 tokens, got \d+/);
    expect(() => expectDenied(denied, { by: 'tier:free', retryAfterMs: 5 })).toThrow(
      /the limit tier:free, got search-per-user; retryAfterMs 5, got 60000/,
    );
    expect(() => expectDenied(denied, { code: 'X' })).toThrow(/the code X, got THROTTLED/);
  });

  it('expectAdmitted and expectDenied reject a promise, because they cannot check its result', async () => {
    const tollgate = await open();
    const promise = tollgate.send({ query: SEARCH });
    expect(() => expectAdmitted(promise as never)).toThrow(/await it first/);
    expect(() => expectDenied(promise as never)).toThrow(/await it first/);
    await promise;
  });
});
