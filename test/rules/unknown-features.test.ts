import { buildSchema } from 'graphql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FEATURES } from '../../src/rules/policy/features.js';
import { policyJsonSchema } from '../../src/rules/policy/policy-document.js';
import type { RuleInput } from '../../src/rules/policy/rule-input.js';
import type { Actor } from '../../src/rules/store/create-change-log.js';
import type { Outcome } from '../../src/rules/store/outcome.js';
import { createRulesStore, type RulesStore } from '../../src/rules/store/rules-store.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { until } from '../helpers/until.js';
import { migrateAfresh, openServerDatabase, type TestDatabase } from '../postgres/databases.js';

// A rule of a newer version differs from one of this version only in the names of its features, and
// in columns and values that this version does not know.

const ADMIN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };
const schema = buildSchema('type Query { search: String, me: String }');
const BUCKET = { capacity: 1000, refillAmount: 1, refillPeriodMs: 1000 };
const SEARCH: RuleInput = {
  name: 'search',
  scope: 'USER',
  field: 'Query.search',
  measure: 'CALLS',
  limits: [{ algorithm: 'FIXED_WINDOW', amount: 100, windowMs: 3_600_000 }],
};

let opened: TestDatabase;
let store: RulesStore;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  opened = await openServerDatabase();
});
afterAll(() => opened.dispose());
beforeEach(async () => {
  await migrateAfresh(opened.db);
  store = createRulesStore(opened.db);
  await store.ensureTiers(
    [
      { name: 'free', isDefault: true, ...BUCKET },
      { name: 'pro', ...BUCKET },
    ],
    ADMIN,
  );
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function addRule(rule: RuleInput): Promise<string> {
  const outcome = await store.createRule(rule, ADMIN);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.userErrors));
  return outcome.value.id;
}

/** Starts an instance. `send` resolves to the error of an operation, or to `admitted`. */
async function start() {
  const warnings: string[] = [];
  const logger = { info() {}, warn: (message: string) => void warnings.push(message), error() {} };
  const tollgate = await createTollgate<{ user: string; tier?: string }>({
    schema,
    postgres: opened.db,
    logger,
    identify: ({ contextValue }) => contextValue,
  });
  closers.push(() => tollgate.close());
  return {
    warnings,
    async send(query: string, tier?: string) {
      const contextValue = { user: 'ada', ...(tier && { tier }) };
      const request = await tollgate.protect({ query, contextValue });
      if (!request.admitted) return { status: request.answer.status, ...request.answer.body.errors![0]! };
      request.start();
      await request.finish({ data: {} });
      return 'admitted';
    },
  };
}

describe('a rule or a tier of a newer version', () => {
  it('denies only the operations that the rule may apply to, and all other rules stay in force', async () => {
    await addRule(SEARCH);
    await addRule({
      ...SEARCH,
      name: 'me',
      field: 'Query.me',
      limits: [{ algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 3_600_000 }],
    });
    await opened.db.query(`update rules set needs = '{match.moonPhase}' where name = 'search'`);
    const { send, warnings } = await start();
    expect(await send('{ search }')).toMatchObject({
      status: 503,
      message: expect.stringContaining('"search" uses match.moonPhase, which this version of Tollgate does not know'),
      extensions: { code: 'UNAVAILABLE', deniedBy: 'search' },
    });
    expect(await send('{ me }')).toBe('admitted');
    expect(await send('{ me }')).toMatchObject({ extensions: { code: 'THROTTLED', deniedBy: 'me' } });
    expect(warnings).toContainEqual(expect.stringMatching(/rule "search" uses match\.moonPhase.*update it/));
  });

  it('a rule in shadow mode denies nothing, an exemption exempts no caller, and a rule for a tier denies only this tier', async () => {
    await addRule({ ...SEARCH, name: 'shadow', mode: 'SHADOW' });
    await addRule({ ...SEARCH, name: 'exempt', limits: [], action: { type: 'EXEMPT' } });
    await addRule({ ...SEARCH, name: 'for-pro', match: { tiers: ['pro'] }, scope: 'GLOBAL' });
    await opened.db.query(`update rules set needs = '{moon}'`);
    const { send } = await start();
    expect(await send('{ search }')).toBe('admitted');
    expect(await send('{ search }', 'pro')).toMatchObject({ extensions: { code: 'UNAVAILABLE', deniedBy: 'for-pro' } });
  });

  it('a tier denies the operations of its callers alone', async () => {
    await opened.db.query(`update tiers set needs = '{budget,credit}' where name = 'pro'`);
    const { send } = await start();
    expect(await send('{ me }')).toBe('admitted');
    expect(await send('{ me }', 'pro')).toMatchObject({
      message: expect.stringContaining('"tier:pro" uses credit,'),
      extensions: { code: 'UNAVAILABLE', deniedBy: 'tier:pro' },
    });
  });

  it('cannot be changed by this version, which would remove what it does not know', async () => {
    const id = await addRule(SEARCH);
    await opened.db.query(`update rules set needs = '{moon}'`);
    await opened.db.query(`update tiers set needs = '{moon}' where name = 'pro'`);
    const userErrors = [{ message: expect.stringContaining('change it with a newer version') }];
    expect(await store.updateRule({ id, priority: 1 }, ADMIN)).toMatchObject({ ok: false, userErrors });
    expect(await store.updateTier({ name: 'pro', capacity: 5 }, ADMIN)).toMatchObject({ ok: false, userErrors });
    const [row] = await opened.db.query('select needs, priority from rules');
    expect(row).toEqual({ needs: ['moon'], priority: 100 });
  });

  it('a rule with features that this version knows is applied, and lists them', async () => {
    await addRule({ ...SEARCH, limits: [{ algorithm: 'CALENDAR_WINDOW', amount: 1, every: 'YEAR' }] });
    await store.updateTier({ name: 'pro', budget: { amount: 5, every: 'MONTH' } }, ADMIN);
    expect(await opened.db.query('select needs from rules')).toEqual([{ needs: ['CALENDAR_WINDOW'] }]);
    expect(await opened.db.query(`select needs from tiers order by name`)).toEqual([
      { needs: [] },
      { needs: ['budget'] },
    ]);
    const { send } = await start();
    expect(await send('{ search }')).toBe('admitted');
    expect(await send('{ search }')).toMatchObject({ extensions: { code: 'THROTTLED', deniedBy: 'search' } });
  });
});

describe('running instances of an older version', () => {
  const WEB = 'web-1 (process 4711, version 0.0.9)';
  const SCHEDULE = { schedule: { timeZone: 'UTC', days: ['MON' as const], from: '08:00', to: '18:00' } };
  const BUDGET = { amount: 5, every: 'MONTH' as const };

  /** Adds the heartbeat of an instance. Without features, its version does not report them. */
  const addInstance = (features: readonly string[] | null, secondsAgo = 0, id = 'AAAAAAAAAAA1') =>
    opened.db.query(
      `insert into instances (id, version, host, pid, divisor, problems, started_at, seen_at, features)
       values ($1, '0.0.9', 'web-1', 4711, 1, '[]', now(), now() - $2 * interval '1 second', $3::text[])`,
      [id, secondsAgo, features],
    );
  const without = (name: string) => FEATURES.filter((one) => one !== name);
  const warningsOf = (outcome: Outcome<unknown>) => {
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.userErrors));
    return outcome.warnings;
  };

  it('a rule, a tier and a key with a feature that an instance does not know come with a warning that names both', async () => {
    await addInstance(without('schedule').filter((one) => one !== 'budget' && one !== 'key.calendar'));
    const until = 'until they are updated, they';
    expect(warningsOf(await store.createRule({ ...SEARCH, ...SCHEDULE, dryRun: true }, ADMIN))).toEqual([
      `running instances do not know schedule: ${WEB}; ${until} deny the operations that the rule may apply to`,
    ]);
    const id = await addRule(SEARCH);
    expect(warningsOf(await store.updateRule({ id, mode: 'SHADOW', ...SCHEDULE }, ADMIN))).toContain(
      `running instances do not know schedule: ${WEB}; ${until} ignore the rule`,
    );
    const tierWarning = `running instances do not know budget: ${WEB}; ${until} deny the operations of its callers`;
    expect(warningsOf(await store.updateTier({ name: 'pro', budget: BUDGET }, ADMIN))).toContain(tierWarning);
    const made = await store.createTier({ name: 'new', ...BUCKET, budget: BUDGET }, ADMIN);
    expect(warningsOf(made)).toContain(tierWarning);
    await store.createSubject({ user: 'ada' }, ADMIN);
    expect(warningsOf(await store.createApiKey({ user: 'ada', budget: { calendar: BUDGET } }, ADMIN))).toEqual([
      `running instances do not know key.calendar: ${WEB}; ${until} answer operations with the key with an error`,
    ]);
  });

  it('the plan of a policy file warns at each step that running instances cannot apply', async () => {
    await addInstance(null);
    const document = `
tiers:
  - { name: free, capacity: 5, refillAmount: 1, isDefault: true }
  - { name: monthly, capacity: 5, refillAmount: 1, budget: { amount: 5, every: MONTH } }
rules:
  - { name: nightly, scope: USER, field: Query.me, measure: CALLS, schedule: { from: '22:00', to: '06:00' },
      limits: [{ algorithm: FIXED_WINDOW, amount: 5, windowMs: 1000 }] }
`;
    const { plan } = await store.syncPolicy({ document }, ADMIN);
    const unknown = plan!.steps.map(({ name, warnings }) => [name, warnings.filter((one) => one.includes(WEB))]);
    expect(Object.fromEntries(unknown)).toEqual({
      free: [],
      monthly: [expect.stringContaining('do not know budget')],
      nightly: [expect.stringContaining('do not know schedule')],
    });
  });

  it('instances that know all features or have ended, and rules without new features, cause no warning', async () => {
    await addInstance(FEATURES);
    await addInstance(null, 16, 'AAAAAAAAAAA2');
    expect(warningsOf(await store.createRule({ ...SEARCH, ...SCHEDULE, dryRun: true }, ADMIN))).toEqual([]);
    await opened.db.query('delete from instances');
    await addInstance(null);
    expect(warningsOf(await store.createRule(SEARCH, ADMIN))).toEqual([]);
  });

  it('the heartbeat of an instance lists the features that it knows', async () => {
    await start();
    const features = async () => (await opened.db.query<{ features: string[] }>('select features from instances'))[0];
    await until('the instance is registered', async () => (await features()) !== undefined);
    expect((await features())!.features).toEqual(FEATURES);
  });
});

it('a rule with an unknown scope denies its operations, even if a better rule has the level that remains', async () => {
  await addRule({ ...SEARCH, name: 'global', scope: 'GLOBAL', priority: 1 });
  await addRule({ ...SEARCH, name: 'newer', priority: 50 });
  await opened.db.query('alter table rules drop constraint rules_scope');
  await opened.db.query(`update rules set scope = 'DEVICE', needs = '{DEVICE}' where name = 'newer'`);
  const { send } = await start();
  expect(await send('{ search }')).toMatchObject({ extensions: { code: 'UNAVAILABLE', deniedBy: 'newer' } });
  expect(await send('{ me }')).toBe('admitted');
});

describe('the features of rules and tiers', () => {
  it('every member and value of a rule or a tier is one of the first version, or has the name of a feature', () => {
    const unnamed = pathsOf(policyJsonSchema() as Shape).filter((path) => !FIRST.has(path) && !COVERED.test(path));
    expect(unnamed).toEqual([]);
    expect(FEATURES).toEqual([...new Set(FEATURES)]);
  });
});

interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  enum?: string[];
  const?: string;
}

/** Returns the paths of all members, and of the values of members with a fixed set of values. */
function pathsOf(shape: Shape, path = ''): string[] {
  const below = [shape.items, ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].filter((one) => one !== undefined);
  return [
    ...Object.entries(shape.properties ?? {}).flatMap(([name, member]) => {
      const at = path === '' ? name : `${path}.${name}`;
      return [at, ...pathsOf(member, at)];
    }),
    ...below.flatMap((one) => pathsOf(one, path)),
    ...[...(shape.enum ?? []), ...(shape.const === undefined ? [] : [shape.const])].map((value) => `${path}=${value}`),
  ];
}

/** Members and values that a feature of `FEATURES` covers. Extend it together with that list. */
const COVERED =
  /^tiers\.budget|^rules\.(fields|match\.(callers|credentials|users|tenants|keys|agents|document|apps|appVersions)|schedule|activeFrom|activeUntil|scope=USER_AND_IP|measure=SUBSCRIPTIONS|measure=CONNECTIONS|onEventDenied|regionMode)|^rules\.limits\.(algorithm=CALENDAR_WINDOW|every|timeZone|anchor|hardCap|carryOver|maxWaitMs|maxQueue|perConnection)/;

/** Members and values that all versions know. Never extend it. */
const FIRST: ReadonlySet<string> = new Set(
  `
  tiers tiers.name tiers.displayName tiers.monthlyPrice tiers.monthlyPrice.amountMinor
  tiers.monthlyPrice.currency tiers.capacity tiers.refillAmount tiers.refillPeriodMs tiers.maxCostPerOperation
  tiers.maxNodesPerOperation tiers.maxTypeCostPerOperation tiers.maxFieldCostPerOperation tiers.answer
  tiers.answer=BRIEF tiers.answer=FULL tiers.answer=NONE tiers.isDefault rules rules.name rules.description
  rules.mode rules.mode=OFF rules.mode=SHADOW rules.mode=ENFORCE rules.rolloutPercent rules.priority
  rules.match rules.match.tiers rules.match.operationTypes rules.match.operationTypes=QUERY
  rules.match.operationTypes=MUTATION rules.match.operationTypes=SUBSCRIPTION rules.match.operationNames
  rules.match.clients rules.match.addresses rules.scope rules.scope=USER rules.scope=API_KEY rules.scope=IP
  rules.scope=TENANT rules.scope=GLOBAL rules.field rules.measure rules.measure=COST rules.measure=CALLS
  rules.measure=REQUESTS rules.measure=NODES rules.measure=TYPE_COST rules.measure=FIELD_COST rules.limits
  rules.limits.key rules.limits.algorithm rules.limits.algorithm=TOKEN_BUCKET
  rules.limits.algorithm=LEAKY_BUCKET rules.limits.algorithm=FIXED_WINDOW
  rules.limits.algorithm=SLIDING_WINDOW_COUNTER rules.limits.algorithm=SLIDING_WINDOW_LOG
  rules.limits.algorithm=CONCURRENCY rules.limits.capacity rules.limits.refillAmount
  rules.limits.refillPeriodMs rules.limits.amount rules.limits.windowMs rules.limits.strict
  rules.limits.leaseMs rules.limits.countDenied rules.limits.maxDebt rules.action rules.action.type
  rules.action.type=REJECT rules.action.type=THROTTLE rules.action.maxDelayMs rules.action.type=EXEMPT
  rules.onUnavailable rules.onUnavailable=LOCAL rules.onUnavailable=OPEN rules.onUnavailable=CLOSED
  rules.precision rules.precision=EXACT rules.precision=LEASED rules.response rules.response.code
  rules.response.message rules.response.status
`
    .trim()
    .split(/\s+/),
);
