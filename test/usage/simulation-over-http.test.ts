import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { ADMIN_TOKEN, type Platform, post, startPlatform } from '../helpers/platform.js';
import { startRedisServer } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';

/**
 * Duration of the traffic. Half a minute stands for an hour, so a window of ten minutes becomes
 * five seconds.
 */
const TRAFFIC_MS = 30_000;
const CALLERS = 4;
const PER_CALLER = 250;
const RULE = `name: "borders", scope: USER, field: "Country.borders", measure: CALLS
  limits: [{ slidingWindowCounter: { amount: 70, windowMs: 5000 } }]`;
const ACTOR = { name: 'test', authMethod: 'SYSTEM' as const };

const closers: (() => Promise<unknown>)[] = [];
let without: Platform;
let withRule: Platform;

beforeAll(async () => {
  [without, withRule] = await Promise.all([start(), start()]);
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/** Starts a platform with a separate Redis and database. It logs every decision. */
async function start(): Promise<Platform> {
  const [redis, database] = await Promise.all([startRedisServer(), openServerDatabase()]);
  closers.push(redis.stop, database.dispose);
  const platform = await startPlatform({
    env: { REDIS_URL: redis.url, DATABASE_URL: database.url, TOLLGATE_DECISIONS_PER_SECOND: '1000' },
    args: ['--demo'],
  });
  closers.push(() => platform.stop());
  const store = createRulesStore(database.db);
  await store.ensureTiers([{ name: 'wide', capacity: 1_000_000, refillAmount: 1000, refillPeriodMs: 1000 }], ACTOR);
  for (let caller = 0; caller < CALLERS; caller++) {
    const key = `caller-${caller}`;
    await store.upsertSubject({ user: key, tier: 'wide' }, ACTOR);
    await store.createApiKey({ user: key, name: 'Test', known: { prefix: key, secret: key } }, ACTOR);
  }
  return platform;
}

async function askAdmin({ url }: Platform, query: string) {
  const { body } = await post(`${url}/admin/graphql`, query, { authorization: `Bearer ${ADMIN_TOKEN}` });
  expect(body.errors).toBeUndefined();
  return body.data;
}

/**
 * Returns the query of a request. Some queries make as many calls as estimated, and some make
 * fewer.
 */
function queryOf(index: number): string {
  if (index % 5 === 0) return '{ country(code: "DE") { borders { name borders { name } } } }';
  return `{ countries(first: ${1 + (index % 8)}) { name borders { name } } }`;
}

it('a simulation of recorded traffic matches the denials of the enforced rule within 1 %', async () => {
  const { ruleCreate } = await askAdmin(
    withRule,
    `mutation { ruleCreate(input: { ${RULE} }) { userErrors { message } } }`,
  );
  expect(ruleCreate.userErrors).toEqual([]);
  const ask = ({ url }: Platform, caller: number, query: string) =>
    post(`${url}/graphql`, query, { 'graphql-cost': 'report', 'x-api-key': `caller-${caller}` });
  // Until a platform knows a key, it answers 401 without limits.
  await until('both platforms know the keys of all callers', async () => {
    const asked = Array.from({ length: CALLERS }, (_, caller) =>
      [withRule, without].map((platform) => ask(platform, caller, '{ __typename }')),
    );
    return (await Promise.all(asked.flat())).every(({ status }) => status === 200);
  });
  await until('the rule is in force', async () => {
    const { body } = await ask(withRule, 0, queryOf(1));
    return body.extensions.cost.limits.some(({ rule }: { rule: string }) => rule === 'borders');
  });

  const from = new Date();
  // The range must contain no earlier records. A record has the time of its decision in
  // milliseconds.
  await until('the next millisecond has begun', () => Date.now() > from.getTime());
  const startedMs = performance.now();
  let enforced = 0;
  const clients = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let index = 0; index < PER_CALLER; index++) {
      const dueMs = startedMs + ((index + caller / CALLERS) * TRAFFIC_MS) / PER_CALLER;
      await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
      // Sends the same request at the same time to the platform that only records and to the
      // platform that enforces the rule.
      const query = queryOf(index * 7 + caller);
      const [recorded, decided] = await Promise.all([ask(without, caller, query), ask(withRule, caller, query)]);
      expect(recorded.status).toBe(200);
      if (decided.status !== 200) {
        expect(decided.body.errors[0].extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'borders' });
        enforced++;
      }
    }
  });
  await Promise.all(clients);

  const decisions = CALLERS * PER_CALLER;
  let simulation = { decisions: 0, denied: 0, newlyDenied: 0, deniedBefore: 0, sampled: 0 };
  // The sample API has a rule with the same scope, field, measure and priority, so the ids decide
  // which of the two rules applies. The simulation must give the draft the id that the enforced
  // rule has.
  await until(
    'everything is stored',
    async () => {
      const found = await askAdmin(
        without,
        `{ ruleSimulate(input: { rule: { ${RULE} }, range: { from: "${from.toISOString()}" } }) {
        simulation { decisions denied newlyDenied deniedBefore sampled } userErrors { message }
      } }`,
      );
      simulation = found.ruleSimulate.simulation;
      return simulation.decisions >= decisions;
    },
    60_000,
    // The poll interval is long, because each simulation costs a tenth of the administrator's
    // bucket. The refill of that amount takes four seconds.
    2_000,
  );
  expect(simulation).toMatchObject({ decisions, deniedBefore: 0, sampled: 1, newlyDenied: simulation.denied });
  // There must be enough admitted and enough denied operations, so that 1 % is significant.
  expect(enforced).toBeGreaterThan(decisions / 4);
  expect(enforced).toBeLessThan((decisions * 3) / 4);
  expect(Math.abs(simulation.denied - enforced)).toBeLessThanOrEqual(decisions / 100);
});
