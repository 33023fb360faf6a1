import { ApolloServer } from '@apollo/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDemoContext } from '../../packages/platform/src/create-demo-schema.js';
import { createPlugin } from '../../src/apollo/create-plugin.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createProtectionLimiter } from '../../src/limiter/create-limiter.js';
import type { Rule } from '../../src/model/rule.js';
import type { Subject } from '../../src/model/subject.js';
import type { UsageRecord } from '../../src/model/usage-record.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createFee } from '../../src/protection/charge-fee.js';
import { followTimes } from '../../src/rules/matching/follow-times.js';
import { createPoolFinder, type PoolFinder } from '../../src/rules/matching/pool-finder.js';
import { createRuleset, type Ruleset } from '../../src/rules/matching/ruleset.js';
import { parsePolicy, type RuleInput } from '../../src/rules/policy/parse-policy.js';
import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { createRuleSimulation } from '../../src/simulation/create-rule-simulation.js';
import { readDecisions } from '../../src/usage/query/read-decisions.js';
import type { TimeRange } from '../../src/usage/query/time-range.js';
import { createUsageRecorder } from '../../src/usage/record/create-usage-recorder.js';
import { createDemoSchema } from '../helpers/demo-schema.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';

const schema = createDemoSchema();
const analyzer = createCostAnalyzer(schema);
const HOUR_MS = 3_600_000;

interface Sent {
  /** Time in milliseconds since the beginning of the hour. */
  afterMs: number;
  subject: Subject;
  client: string;
  query: string;
  operationName: string;
  variables: Record<string, unknown>;
}

interface Context extends ReturnType<typeof createDemoContext> {
  subject: Subject;
}

const OPERATIONS = [
  'query Home { countries(first: 5) { name borders { name } } regions { name } }',
  'query One($code: ID!) { country(code: $code) { name borders { name borders { name } } } }',
  'query Many($first: Int) { countries(first: $first) { name } languages(first: $first) { name } }',
  'query Places($ids: [ID!]!, $full: Boolean!) { places(ids: $ids) { id ... on Country @include(if: $full) { borders { name } } } }',
] as const;

const SUBJECTS: readonly Subject[] = [
  { user: 'ann', tenant: 'acme', ip: '10.0.0.1' },
  { user: 'bob', tenant: 'acme', ip: '10.0.0.2' },
  { user: 'eve', tier: 'pro', ip: '192.0.2.7' },
  { apiKey: 'tg_1', tier: 'pro', ip: '192.0.2.8' },
  { user: 'own', ip: '192.0.2.9', bucket: { capacity: 60, refillAmount: 10, refillPeriodMs: 1000 } },
  { ip: '198.51.100.4' },
];

/** Returns an hour of random traffic. The same seed gives the same traffic. */
function traffic(count: number, seed: number): Sent[] {
  let state = seed;
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: count }, (_, index): Sent => {
    const query = OPERATIONS[random(OPERATIONS.length)]!;
    const [, operationName = ''] = /^query (\w+)/.exec(query) ?? [];
    const ids = ['SWE', 'europe', 'DEU', 'asia'].slice(0, 1 + random(4));
    const code = ['SE', 'DE', 'IS', 'XX'][random(4)]!;
    return {
      afterMs: Math.floor((index * HOUR_MS) / count) + random(1000),
      subject: SUBJECTS[random(SUBJECTS.length)]!,
      client: ['web', 'app'][random(2)]!,
      query,
      operationName,
      variables: { code, first: 1 + random(40), ids, full: random(2) === 0 },
    };
  });
}

const BASE: RuleInput[] = [
  { name: 'api', scope: 'GLOBAL', field: '*', limits: [{ algorithm: 'FIXED_WINDOW', amount: 4000, windowMs: 60_000 }] },
  {
    name: 'borders',
    scope: 'USER',
    field: 'Country.borders',
    measure: 'CALLS',
    limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 25, windowMs: 600_000 }],
  },
];

function policyOf(rules: readonly RuleInput[]): Ruleset {
  const policy = parsePolicy({
    tiers: [
      { name: 'free', capacity: 400, refillAmount: 4, refillPeriodMs: 1000, isDefault: true },
      { name: 'pro', capacity: 600, refillAmount: 8, refillPeriodMs: 1000, maxCostPerOperation: 350 },
    ],
    rules,
  });
  if (policy.problems) throw new Error(policy.problems.join('\n'));
  return createRuleset({ tiers: policy.tiers, rules: policy.rules as Rule[], version: 1 });
}

/**
 * Sends traffic to the sample API behind the plugin, at the times that the traffic defines. Returns
 * the denied operations: their index and the limit that denied them.
 */
async function send(all: readonly Sent[], ruleset: Ruleset, startMs: number, record: (one: UsageRecord) => void) {
  const clock = { ms: startMs };
  const limiter = createProtectionLimiter({ now: () => clock.ms });
  const plugin = createPlugin<Context>({
    analyzer,
    limiter,
    ruleset: followTimes(
      () => ruleset,
      () => clock.ms,
    ),
    identify: ({ contextValue }) => contextValue.subject,
    chargeFee: createFee({ limiter, fee: 1, mode: 'ENFORCE', denialStatus: 429 }),
    observers: [{ onAnswer: (one) => record(atClock(one, clock.ms)) }],
    now: () => clock.ms,
  });
  const server = new ApolloServer<Context>({ schema, plugins: [plugin] });
  const denied = new Map<number, string>();
  for (const [index, { afterMs, subject, client, ...request }] of all.entries()) {
    clock.ms = startMs + afterMs;
    const headers = new Map([['apollographql-client-name', client]]);
    const http = { method: 'POST', headers, search: '', body: null } as never;
    const { body } = await server.executeOperation(
      { ...request, http },
      { contextValue: { ...createDemoContext(), subject } },
    );
    if (body.kind !== 'single') throw new Error('expected one answer');
    const code = body.singleResult.errors?.[0]?.extensions?.['deniedBy'];
    if (typeof code === 'string') denied.set(index, code);
    else if (body.singleResult.errors) throw new Error(body.singleResult.errors[0]!.message);
  }
  await server.stop();
  return denied;
}

/**
 * Sets the time of a record to the time of the test and its duration to zero. The plugin subtracts
 * a duration that it measures with a clock that a test cannot set.
 */
function atClock(one: UsageRecord, atMs: number): UsageRecord {
  const { subject, tier, operationType, operationName, client, isAgent, batchId, denial, deniedBy, degraded } = one;
  const { estimatedCost, actualCost, limits, fields } = one;
  const cost = { estimatedCost, actualCost, limits, fields };
  const what = { subject, tier, operationType, operationName, client, isAgent, batchId, denial, deniedBy, degraded };
  return { ...what, ...cost, atMs, durationMs: 0 };
}

describe('the simulation of a rule on the log of decisions', () => {
  let opened: TestDatabase;
  let db: Db;
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS;
  const range = { from: new Date(startMs), to: new Date(startMs + HOUR_MS) };
  const hour = new Date(startMs).toISOString().slice(11, 13);
  const TWENTY_MINUTES = { from: `${hour}:20`, to: `${hour}:40` };
  beforeAll(async () => {
    opened = await openServerDatabase();
    db = opened.db;
    await migrate(db);
    const recorder = createUsageRecorder({
      db,
      decisionsPerSecond: 1_000_000,
      maxDecisions: 100_000,
      closeTimeoutMs: 120_000,
    });
    before = await send(all, base, startMs, recorder.record);
    await recorder.close();
  });
  afterAll(() => opened.dispose());

  /**
   * The traffic that is recorded under the base rules. `before` contains the operations that these
   * rules deny.
   */
  const all = traffic(900, 7);
  const base = policyOf(BASE);
  let before: Awaited<ReturnType<typeof send>>;

  /**
   * Simulates the draft on the recorded traffic. Then sends the same traffic with the draft
   * enforced.
   */
  async function compare(draft: RuleInput) {
    const simulate = createRuleSimulation({
      schema,
      ruleset: () => base,
      fee: 1,
      decisions: (asked, limit) => readDecisions(db, asked, limit),
    });
    const withDraft = policyOf([...BASE.filter(({ name }) => name !== draft.name), draft]);
    const rule = withDraft.rules.find(({ name }) => name === draft.name)!;
    const simulation = await simulate({ rule, range, warmUpFrom: range.from, limit: 100_000 });
    const after = await send(all, withDraft, startMs, () => {});
    return { after, simulation };
  }

  it('a simulation enforces the share of the region of each decision, and counts the decisions by region', async () => {
    const fromMs = startMs - 3 * HOUR_MS;
    const sent = (count: number): Sent[] =>
      Array.from({ length: count }, (_, index) => ({
        ...{ afterMs: index * 30_000, subject: SUBJECTS[0]!, client: 'web', query: OPERATIONS[2] },
        ...{ operationName: 'Many', variables: { first: 1 } },
      }));
    for (const [region, count] of [
      ['eu', 40],
      ['us', 40],
      [undefined, 10],
    ] as const) {
      const recorder = createUsageRecorder({ db, region, decisionsPerSecond: 1_000_000, closeTimeoutMs: 120_000 });
      expect(await send(sent(count), base, fromMs, recorder.record)).toEqual(new Map());
      await recorder.close();
    }
    const limits: RuleInput['limits'] = [{ algorithm: 'FIXED_WINDOW', amount: 40, windowMs: HOUR_MS }];
    const draft: RuleInput = { name: 'draft', scope: 'GLOBAL', field: '*', measure: 'REQUESTS', limits };
    const simulate = async (regionMode: 'SPLIT' | 'WATCH', redis?: Record<string, string>) => {
      const simulation = createRuleSimulation({
        schema,
        ruleset: () => base,
        fee: 1,
        region: { name: 'eu', shares: { eu: 75, us: 25 }, ...(redis && { redis }) },
        decisions: (asked, limit) => readDecisions(db, asked, limit),
      });
      const { rules } = policyOf([{ ...draft, regionMode }]);
      const asked = { from: new Date(fromMs), to: new Date(fromMs + HOUR_MS) };
      return simulation({ rule: rules[0]!, range: asked, warmUpFrom: asked.from, limit: 1000 });
    };
    // Decisions without a recorded region belong to the region of the process.
    const split = { eu: [50, 20], us: [40, 30] };
    const byRegion = ({ regions }: Awaited<ReturnType<typeof simulate>>) =>
      Object.fromEntries(regions.map(({ region, decisions, denied }) => [region, [decisions, denied]]));
    expect(byRegion(await simulate('SPLIT'))).toEqual(split);
    // Without an exchange of counts, a watched limit is split.
    expect(byRegion(await simulate('WATCH'))).toEqual(split);
    const watched = await simulate('WATCH', { us: 'redis://us.example' });
    expect(byRegion(watched)).toEqual({ eu: [50, 10], us: [40, 0] });
    expect(watched.warnings.join()).toContain('a watched limit does not include the counts of other regions');
    // Other tests change and count all decisions.
    await db.query('delete from decisions where at < $1', [range.from]);
  });

  const DRAFTS: [string, RuleInput][] = [
    ['calls of a field, per user', { ...sliding('USER', 'Country.borders', 'CALLS', 20), priority: 1 }],
    ['the cost of a field and of the fields below it, per tenant', sliding('TENANT', 'Country.borders', 'COST', 300)],
    ['the cost of all roots, for all callers', sliding('GLOBAL', 'Query.*', 'COST', 500)],
    [
      'the cost of operations, in a separate bucket',
      {
        name: 'draft',
        scope: 'USER',
        field: '*',
        limits: [{ algorithm: 'TOKEN_BUCKET', capacity: 90, refillAmount: 20, refillPeriodMs: 60_000, key: 'second' }],
      },
    ],
    [
      'requests of some operations by some clients',
      {
        ...sliding('USER', '*', 'REQUESTS', 3),
        match: { operationNames: ['Home', 'Many'], clients: ['web'] },
      },
    ],
    ['requests from some addresses', { ...sliding('IP', '*', 'REQUESTS', 4), match: { addresses: ['192.0.2.0/24'] } }],
    [
      'a tier, and half of its callers',
      { ...sliding('USER', '*', 'COST', 200), match: { tiers: ['pro'] }, rolloutPercent: 50 },
    ],
    ['requests in twenty minutes of the day', { ...sliding('USER', '*', 'REQUESTS', 3), schedule: TWENTY_MINUTES }],
    ['objects of operations', sliding('USER', '*', 'NODES', 120)],
    ['objects below a field, for all callers', sliding('GLOBAL', 'Query.countries', 'NODES', 600)],
    ['objects of a field that is nested in itself', sliding('TENANT', 'Country.borders', 'NODES', 250)],
    ['type cost of all roots', sliding('USER', 'Query.*', 'TYPE_COST', 100)],
    ['field cost of operations', sliding('USER', '*', 'FIELD_COST', 20)],
    ['field cost below a field', sliding('TENANT', 'Query.country', 'FIELD_COST', 5)],
    ['a field on an interface', sliding('USER', 'Place.id', 'CALLS', 10)],
    [
      'a replacement of a rule that is in force',
      { ...BASE[1]!, limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 400, windowMs: 600_000 }] },
    ],
    [
      'a narrower replacement of a rule',
      { ...BASE[0]!, limits: [{ algorithm: 'FIXED_WINDOW', amount: 400, windowMs: 60_000 }] },
    ],
  ];

  it.each(
    DRAFTS,
  )('the simulation predicts the denials of a rule, exactly or within 1 % for unknown costs: %s', async (_, draft) => {
    const { after, simulation } = await compare(draft);
    expect(simulation).toMatchObject({ decisions: all.length, isTruncated: false, sampled: 1 });
    expect(simulation.recordedDenied).toBe(before.size);
    expect(simulation.deniedBefore).toBe(before.size);
    const indexes = all.map((_one, index) => index);
    const newlyDenied = indexes.filter((index) => after.has(index) && !before.has(index)).length;
    const newlyAdmitted = indexes.filter((index) => !after.has(index) && before.has(index)).length;
    // The log does not contain the actual cost of operations that were denied before and are now
    // admitted. That cost is estimated, and everything else is exact.
    const slack = simulation.newlyAdmitted === 0 ? 0 : all.length / 100;
    expect(Math.abs(simulation.deniedAfter - after.size)).toBeLessThanOrEqual(slack);
    expect(Math.abs(simulation.newlyDenied - newlyDenied)).toBeLessThanOrEqual(slack);
    expect(Math.abs(simulation.newlyAdmitted - newlyAdmitted)).toBeLessThanOrEqual(slack);
    // The draft must affect this traffic. Otherwise, the comparison proves nothing.
    expect(simulation.denied + simulation.newlyAdmitted).toBeGreaterThan(0);
    // The results per operation and per caller must add up to the same numbers.
    const operations = new Map(simulation.operations.map((one) => [one.name, one]));
    for (const name of ['Home', 'One', 'Many', 'Places']) {
      const sent = indexes.filter((index) => all[index]!.operationName === name);
      expect(operations.get(name)?.decisions).toBe(sent.length);
    }
    const denied = simulation.subjects.reduce((sum, one) => sum + one.denied, 0);
    expect(denied).toBe(simulation.denied);
    expect(simulation.subjects.map((one) => one.denied)).toEqual(
      simulation.subjects.map((one) => one.denied).sort((a, b) => b - a),
    );
  });

  it('the simulation leaves out decisions without the amount that the rule counts, and reports their number', async () => {
    const simulate = createRuleSimulation({
      schema,
      ruleset: () => base,
      fee: 1,
      decisions: (asked, limit) => readDecisions(db, asked, limit),
    });
    const found = (draft: RuleInput) =>
      simulate({ rule: policyOf([draft]).rules[0]!, range, warmUpFrom: range.from, limit: 100_000 });
    const nodes = sliding('USER', '*', 'NODES', 120);
    expect(await found(nodes)).toMatchObject({ decisions: all.length, leftOut: 0 });
    // This creates rows like those of an earlier version, which have no amounts.
    const [{ count } = { count: 0 }] = await db.query<{ count: number }>(
      'with old as (update decisions set amounts = null where id % 3 = 0 returning 1) select count(*) as count from old',
    );
    expect(Number(count)).toBeGreaterThan(100);
    expect(await found(nodes)).toMatchObject({ decisions: all.length - Number(count), leftOut: Number(count) });
    expect(await found(sliding('USER', '*', 'COST', 100))).toMatchObject({ decisions: all.length, leftOut: 0 });
  });

  it('the simulation counts the operations of each pool separately, as the limiter does', async () => {
    const base = policyOf([]);
    const recorder = createUsageRecorder({
      db,
      decisionsPerSecond: 1_000_000,
      maxDecisions: 100_000,
      closeTimeoutMs: 120_000,
    });
    const all = traffic(200, 11);
    await send(all, base, startMs, recorder.record);
    await recorder.close();
    const draft = {
      name: 'draft',
      scope: 'GLOBAL' as const,
      field: '*',
      measure: 'REQUESTS' as const,
      limits: [{ algorithm: 'FIXED_WINDOW' as const, amount: 20, windowMs: 86_400_000 }],
    };
    const rule = policyOf([draft]).rules[0]!;
    const pools = [
      { name: 'home', operationNames: ['Ho*'] },
      { name: 'places', fields: ['Query.places'] },
    ];
    const allowed = async (poolFinder?: PoolFinder) => {
      const decisions = (asked: TimeRange, limit: number) => readDecisions(db, asked, limit);
      const simulate = createRuleSimulation({ schema, ruleset: () => base, poolFinder, fee: 1, decisions });
      const found = await simulate({ rule, range, warmUpFrom: range.from, limit: 100_000 });
      return found.decisions - found.deniedAfter;
    };
    expect(await allowed()).toBe(20);
    expect(await allowed(createPoolFinder(pools))).toBe(60);
  });

  it('the simulation begins billing periods at the recorded anchor of a caller, else at the stored one', async () => {
    const dayMs = 86_400_000;
    const midnightMs = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
    const billingAnchor = new Date(midnightMs).toISOString().slice(0, 10);
    const store = createRulesStore(db);
    const actor = { name: 'ann', authMethod: 'SYSTEM' as const };
    for (const key of [{ user: 'stored' }, { tenant: 'billed' }]) {
      expect(await store.setSubjectBillingAnchor({ ...key, billingAnchor }, actor)).toMatchObject({ ok: true });
    }
    const keyBudget = { calendar: { amount: 1, every: 'YEAR' as const } };
    const subjects: Subject[] = [
      { user: 'recorded', billingAnchor },
      { user: 'stored' },
      { user: 'member', tenant: 'billed' },
      { user: 'unbilled' },
      { user: 'holder', apiKey: 'tg_small', keyBudget },
    ];
    // Two operations before the billing period begins, and two after it.
    const sent = [10, 20, 40, 50].flatMap((minute) =>
      subjects.map((subject): Sent => {
        const variables = { code: 'SE' };
        return {
          afterMs: minute * 60_000,
          subject,
          client: 'web',
          query: OPERATIONS[1],
          operationName: 'One',
          variables,
        };
      }),
    );
    const fromMs = midnightMs - HOUR_MS / 2;
    const recorder = createUsageRecorder({ db, decisionsPerSecond: 1_000_000, maxDecisions: 100_000 });
    const denied = await send(sent, policyOf([]), fromMs, recorder.record);
    await recorder.close();
    // Without an anchor, the period begins on another day, so that all operations are in one period.
    const anchorDay = ((new Date(midnightMs).getUTCDate() + 13) % 28) + 1;
    const limits = [{ algorithm: 'CALENDAR_WINDOW', amount: 2, every: 'MONTH', anchor: 'SUBJECT', anchorDay } as const];
    const [rule] = policyOf([{ name: 'draft', scope: 'USER', field: '*', measure: 'REQUESTS', limits }]).rules;
    const decisions = (asked: TimeRange, limit: number, readsAnchors: boolean) =>
      readDecisions(db, asked, limit, readsAnchors);
    const simulate = createRuleSimulation({ schema, ruleset: () => policyOf([]), fee: 1, decisions });
    const during = { from: new Date(fromMs), to: new Date(fromMs + HOUR_MS) };
    const found = await simulate({ rule: rule!, range: during, warmUpFrom: during.from, limit: 1000 });
    expect(found.subjects.filter((one) => one.newlyDenied > 0)).toMatchObject([{ name: 'unbilled', newlyDenied: 2 }]);
    // The key is denied by its own calendar budget, in the replay as in the record.
    expect([denied.size, found.recordedDenied, found.deniedBefore]).toEqual([4, 4, 4]);
  });

  it('the simulation stops at its maximum of decisions and reports that the result is truncated', async () => {
    const simulate = createRuleSimulation({
      schema,
      ruleset: () => base,
      fee: 1,
      decisions: (asked, limit) => readDecisions(db, asked, limit),
    });
    const rule = policyOf([sliding('USER', '*', 'COST', 10)]).rules[0]!;
    const found = await simulate({ rule, range, warmUpFrom: range.from, limit: 100 });
    expect(found).toMatchObject({ decisions: 100, isTruncated: true });
    expect(found.until!.getTime()).toBeLessThan(range.to.getTime());
  });
});

function sliding(scope: Rule['scope'], field: string, measure: Rule['measure'], amount: number): RuleInput {
  const limits = [{ algorithm: 'SLIDING_WINDOW_COUNTER' as const, amount, windowMs: 300_000 }];
  return { name: 'draft', scope, field, measure, limits };
}
