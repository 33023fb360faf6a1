import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/postgres/migrate.js';
import { RuleCreateDocument, type RuleLimitInput, RuleUpdateDocument } from '../generated/graphql.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { type AdminWorld, ANN, createAdminWorld } from './admin-world.js';

const BUCKET = { capacity: 10, refillAmount: 2, refillPeriodMs: 60_000, maxDebt: 5 };
const WINDOW = { amount: 20, windowMs: 60_000 };
const CALENDAR = {
  amount: 2 ** 35,
  every: 'QUARTER',
  timeZone: 'Asia/Kathmandu',
  anchorDay: 31,
  anchorTime: '06:30',
  anchor: 'SUBJECT',
  hardCap: 2 ** 36,
  carryOver: { percent: 25, max: 7 },
} as const;
const RULE = { scope: 'USER', field: 'Query.search', measure: 'CALLS' } as const;

let opened: TestDatabase;
let world: AdminWorld;
beforeAll(async () => {
  opened = await openServerDatabase();
  await migrate(opened.db);
  world = await createAdminWorld(opened.db);
  const tier = { name: 'free', capacity: 10, refillAmount: 1, refillPeriodMs: 1000, isDefault: true };
  await world.store.createTier(tier, ANN);
});
afterAll(() => opened.dispose());

describe('the limits of a rule over the admin API', () => {
  it.each<[RuleLimitInput, string, string, object]>([
    [{ tokenBucket: { ...BUCKET, key: 'k', countDenied: true } }, 'TokenBucketLimit', 'TOKEN_BUCKET', BUCKET],
    [{ leakyBucket: BUCKET }, 'LeakyBucketLimit', 'LEAKY_BUCKET', BUCKET],
    [{ fixedWindow: WINDOW }, 'FixedWindowLimit', 'FIXED_WINDOW', WINDOW],
    [
      { slidingWindowCounter: { ...WINDOW, strict: true } },
      'SlidingWindowCounterLimit',
      'SLIDING_WINDOW_COUNTER',
      { ...WINDOW, strict: true },
    ],
    [{ slidingWindowLog: { ...WINDOW, key: null } }, 'SlidingWindowLogLimit', 'SLIDING_WINDOW_LOG', WINDOW],
    [
      { concurrency: { capacity: 3, leaseMs: 1000, maxWaitMs: 5000, maxQueue: 20 } },
      'ConcurrencyLimit',
      'CONCURRENCY',
      { capacity: 3, leaseMs: 1000, maxWaitMs: 5000, maxQueue: 20 },
    ],
    [{ calendarWindow: { ...CALENDAR, key: 'k' } }, 'CalendarWindowLimit', 'CALENDAR_WINDOW', CALENDAR],
  ])('the limit %j is returned as %s and stored as %s', async (limit, type, algorithm, members) => {
    const { data, errors } = await world.run(RuleCreateDocument, {
      input: { ...RULE, name: algorithm, limits: [limit] },
    });
    expect(errors).toBeUndefined();
    const { rule, userErrors } = data!.ruleCreate!;
    expect(userErrors).toEqual([]);
    expect(rule!.limits).toMatchObject([{ __typename: type, ...members }]);
    const stored = (await world.store.listRules()).find(({ name }) => name === algorithm)!;
    expect(stored.limits).toMatchObject([{ algorithm, ...members }]);
  });

  it.each([
    ['two algorithms', [{ fixedWindow: WINDOW, slidingWindowLog: WINDOW }], /[Ee]xactly one key/],
    ['no algorithm', [{}], /[Ee]xactly one key/],
    ['an algorithm that is null', [{ fixedWindow: null }], /must be non-null/],
    ['a window without its amount', [{ fixedWindow: { windowMs: 1000 } }], /amount/],
    ['a window with the members of a bucket', [{ fixedWindow: { ...WINDOW, capacity: 5 } }], /capacity/],
  ])('a rule with %s is rejected before anything is read', async (_, limits, message) => {
    world.statements.length = 0;
    const input = { ...RULE, name: 'wrong', limits } as never;
    const { errors } = await world.run(RuleCreateDocument, { input });
    expect(errors?.[0]?.message).toMatch(message);
    expect(world.statements).toEqual([]);
  });

  it('a mistake in a limit names its path as the client wrote it, in creations and updates', async () => {
    const limits = [
      { fixedWindow: WINDOW },
      { fixedWindow: WINDOW },
      { slidingWindowLog: { ...WINDOW, amount: 5000 } },
      { calendarWindow: { ...CALENDAR, timeZone: 'Mars', carryOver: { percent: 0, max: 7 } } },
    ];
    const created = await world.run(RuleCreateDocument, { input: { ...RULE, name: 'wrong', limits } });
    const fields = ['limits.1.fixedWindow.key', 'limits.2.slidingWindowLog.amount'].concat(
      'limits.3.calendarWindow.carryOver.percent',
      'limits.3.calendarWindow.timeZone',
    );
    const shown = (errors: readonly { field: string[] }[]) => errors.map(({ field }) => field.join('.')).sort();
    expect(shown(created.data!.ruleCreate!.userErrors)).toEqual(fields);
    const [rule] = await world.store.listRules();
    const id = Buffer.from(`Rule:${rule!.id}`).toString('base64url');
    const updated = await world.run(RuleUpdateDocument, { input: { id, limits: limits.slice(0, 2) } });
    expect(shown(updated.data!.ruleUpdate!.userErrors)).toEqual(fields.slice(0, 1));
  });

  it('a limit on the subscriptions of each connection is stored and returned', async () => {
    const concurrency = { capacity: 20, leaseMs: 60_000, perConnection: true };
    const input = { ...RULE, name: 'per-connection', field: '*', measure: 'SUBSCRIPTIONS', limits: [{ concurrency }] };
    const { data } = await world.run(RuleCreateDocument, { input: input as never });
    expect(data!.ruleCreate!.userErrors).toEqual([]);
    expect(data!.ruleCreate!.rule!.limits).toMatchObject([concurrency]);
    const stored = (await world.store.listRules()).find(({ name }) => name === 'per-connection')!;
    expect(stored).toMatchObject({ measure: 'SUBSCRIPTIONS', limits: [concurrency] });
  });

  it('a limit on connections is stored and returned', async () => {
    const concurrency = { capacity: 5, leaseMs: 60_000 };
    const input = { ...RULE, name: 'connections', field: '*', measure: 'CONNECTIONS', limits: [{ concurrency }] };
    const { data } = await world.run(RuleCreateDocument, { input: input as never });
    expect(data!.ruleCreate!.userErrors).toEqual([]);
    const stored = (await world.store.listRules()).find(({ name }) => name === 'connections')!;
    expect(stored).toMatchObject({ measure: 'CONNECTIONS', limits: [concurrency] });
  });
});
