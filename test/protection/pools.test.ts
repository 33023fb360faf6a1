import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type AbuseApi, type AbuseOptions, serveAbuseApi } from '../abuse/serve.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { scrape } from '../helpers/samples.js';
import { startRedisServer, uniqueName } from '../helpers/servers.js';
import { startTcpProxy } from '../helpers/tcp-proxy.js';
import { until } from '../helpers/until.js';

// R2 in the names of tests is a section of docs/failure-modes.md.

type Server = Awaited<ReturnType<typeof startRedisServer>>;
let main: Server;
let writes: Server;
let search: Server;
beforeAll(async () => {
  [main, writes, search] = await Promise.all([startRedisServer(), startRedisServer(), startRedisServer()]);
});
afterAll(() => Promise.all([main.stop(), writes.stop(), search.stop()]));

const open: AbuseApi[] = [];
afterEach(async () => {
  writes.process.kill('SIGCONT');
  await Promise.all(open.splice(0).map((api) => api.close()));
});

async function serve(options: Partial<AbuseOptions> = {}): Promise<AbuseApi> {
  const api = await serveAbuseApi({
    capacity: 1000,
    redis: main.url,
    pools: [
      { name: 'writes', redis: writes.url, operationTypes: ['MUTATION'] },
      { name: 'search', redis: search.url, operationNames: ['Find*'], fields: ['Query.items'] },
    ],
    ...options,
  });
  open.push(api);
  return api;
}

const LOGIN = 'mutation { login(password: "x") { id } }';
const ITEM = '{ item { id } }';
const FIND = 'query FindIt { item { id } }';
const ITEMS = '{ items(first: 3) { id } }';

/** Returns the number of tokens of the bucket that a user has spent in each pool. */
async function spent(api: AbuseApi, user = api.user): Promise<Record<string, number>> {
  const quota = await api.tollgate.quota({ user });
  return Object.fromEntries(quota.map(({ pool, used }) => [pool, used]));
}

async function ask(api: AbuseApi, query: string) {
  const { status, body } = await api.attemptConcurrently({ query });
  return { status, degraded: body.extensions.cost.degraded as boolean };
}

it('an operation is charged in the first matching pool, or on the default Redis', async () => {
  const api = await serve();
  expect(await spent(api)).toEqual({ default: 0, writes: 0, search: 0 });
  await ask(api, LOGIN);
  expect(await spent(api)).toEqual({ default: 0, writes: 10 + 1, search: 0 });
  await ask(api, ITEM);
  await ask(api, FIND);
  await ask(api, ITEMS);
  const { default: inNone, search: found } = await spent(api);
  expect(found).toBeGreaterThan(inNone!);
  expect(inNone).toBeGreaterThan(0);
  // No pool matches a request without a valid operation, so the fee is charged on the default
  // Redis.
  await api.attemptConcurrently({ query: '{ syntax' });
  expect(await spent(api)).toEqual({ default: inNone! + 1, writes: 11, search: found });
});

it('the response shows the remaining tokens of the pool that charged the operation', async () => {
  const api = await serve();
  await ask(api, ITEM);
  const { body } = await api.attemptConcurrently({ query: LOGIN });
  expect(body.extensions.cost.throttleStatus.currentlyAvailable).toBe(1000 - 11);
});

it('a batch is charged once, in the first pool that matches one of its operations', async () => {
  const api = await serve({ maxBatchSize: 5 });
  const batch = [{ query: ITEM }, { query: FIND }, { query: LOGIN }, { query: ITEMS }];
  const { status } = await api.attemptConcurrently({ raw: { method: 'POST', body: JSON.stringify(batch) } });
  expect(status).toBe(200);
  const all = await spent(api);
  expect(all['writes']).toBeGreaterThan(11);
  expect(all).toMatchObject({ default: 0, search: 0 });
});

it('a preview names the pool that would decide, with its remaining tokens', async () => {
  const api = await serve();
  await ask(api, LOGIN);
  const preview = (query: string) =>
    api.tollgate.preview.previewOf({ query, variables: {}, operationName: undefined, as: { user: api.user } });
  expect(await preview(LOGIN)).toMatchObject({ pool: 'writes', limits: [{ remaining: 1000 - 11 }] });
  expect(await preview(FIND)).toMatchObject({ pool: 'search', limits: [{ remaining: 1000 }] });
  expect(await preview(ITEM)).toMatchObject({ pool: 'default', limits: [{ remaining: 1000 }] });
});

it('all operations and fees of a tenant with a separate Redis are charged there, but not those of other callers', async () => {
  const api = await serve({
    pools: [{ name: 'acme', redis: search.url, tenants: ['acme'] }],
    subjectOf: (user = '') => ({ user, ...(user.startsWith('acme') && { tenant: 'acme' }) }),
  });
  const [ours, other] = [uniqueName('acme'), uniqueName('other')];
  const spentBy = async (subject: { user: string; tenant?: string }) =>
    Object.fromEntries((await api.tollgate.quota(subject)).map(({ pool, used }) => [pool, used]));
  for (const user of [ours, other]) {
    for (const query of [LOGIN, '{ syntax', '{ nothing }']) {
      await api.attemptConcurrently({ query }, user);
    }
  }
  expect(await spentBy({ user: ours, tenant: 'acme' })).toEqual({ default: 0, acme: 11 + 2 });
  // The quota of the user does not list a pool that does not serve them.
  expect(await spentBy({ user: other })).toEqual({ default: 11 + 2 });
});

it('a flood from a tenant with a separate Redis writes no counters to the default Redis', async () => {
  const api = await serve({
    capacity: 40,
    pools: [{ name: 'acme', redis: search.url, tenants: ['acme'] }],
    subjectOf: (user = '') => ({ user, ...(user.startsWith('acme') && { tenant: 'acme' }) }),
  });
  const [ours, other] = [uniqueName('acme'), uniqueName('other')];
  const [redis, ofAcme] = [new Redis(main.url), new Redis(search.url)];
  try {
    const countersOf = async (client: Redis, user: string) =>
      (await client.keys('tg:*')).filter((key) => key.includes(user));
    // The content of a request cannot select a pool or a tenant, for example by an operation name,
    // a variable or an extension.
    const flood = [LOGIN, ITEMS, 'query default { item { id } }', 'query acme($pool: String) { item { id } }'];
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        api.attemptConcurrently(
          {
            query: flood[i % flood.length],
            variables: { pool: 'default' },
            extensions: { pool: 'default', tenant: 'x' },
          },
          ours,
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(150);
    await Promise.all(flood.map((query) => api.attemptConcurrently({ query, extensions: { pool: 'acme' } }, other)));
    expect(await countersOf(redis, ours)).toEqual([]);
    expect(await countersOf(ofAcme, ours)).not.toEqual([]);
    expect(await countersOf(redis, other)).not.toEqual([]);
    expect(await countersOf(ofAcme, other)).toEqual([]);
  } finally {
    redis.disconnect();
    ofAcme.disconnect();
  }
});

it('a reset restores the full quotas of a subject in every pool', async () => {
  const api = await serve();
  for (const query of [LOGIN, ITEM, FIND]) await ask(api, query);
  expect(await api.tollgate.resetQuota({ user: api.user })).toBe(true);
  expect(await spent(api)).toEqual({ default: 0, writes: 0, search: 0 });
});

it('R2: a frozen Redis of one pool slows no operation of another pool', async () => {
  // The deadline is long. An operation that depended on the frozen Redis would wait until that
  // Redis continues.
  const api = await serve();
  expect(await ask(api, LOGIN)).toEqual({ status: 200, degraded: false });
  writes.process.kill('SIGSTOP');
  let answered = 0;
  const hanging = Array.from({ length: 5 }, () => ask(api, LOGIN).finally(() => answered++));
  for (let i = 0; i < 20; i++) {
    expect(await ask(api, i % 2 ? ITEM : ITEMS)).toEqual({ status: 200, degraded: false });
  }
  expect(answered).toBe(0);
  writes.process.kill('SIGCONT');
  expect(new Set((await Promise.all(hanging)).map(({ degraded }) => degraded))).toEqual(new Set([false]));
});

it('R2: each pool has its own circuit breaker, with its state in health, metrics and one log line', async () => {
  const metrics = new Registry();
  const lines: { pool?: string; message: string }[] = [];
  const log = (first: unknown, second?: string) =>
    void lines.push(typeof first === 'string' ? { message: first } : { ...(first as object), message: second ?? '' });
  const api = await serve({ deadlineMs: 250, metrics, logger: { info: log, warn: log, error: log } });
  const stateOf = (pool: string) => api.tollgate.engineHealth().find((one) => one.pool === pool)!.state;
  const all = await scrape(metrics);
  for (const pool of ['default', 'writes', 'search']) expect(all.get(`tollgate_breaker_state{pool="${pool}"}`)).toBe(0);
  await until('the pool decides', async () => !(await ask(api, LOGIN)).degraded);
  writes.process.kill('SIGSTOP');
  await until('the breaker opens', async () => {
    expect(await ask(api, LOGIN)).toEqual({ status: 200, degraded: true });
    return stateOf('writes') !== 'CLOSED';
  });
  for (let i = 0; i < 10; i++) await ask(api, LOGIN);
  const away = await scrape(metrics);
  expect(away.get('tollgate_breaker_state{pool="writes"}')).toBeGreaterThan(0);
  expect(away.get('tollgate_breaker_state{pool="default"}')).toBe(0);
  expect(away.get('tollgate_engine_errors_total{pool="writes",class="deadline"}')).toBeGreaterThan(0);
  expect(away.get('tollgate_instances{pool="search"}')).toBe(1);
  const ofWrites = () => lines.filter(({ pool, message }) => pool === 'writes' || message.includes('pool writes'));
  expect(ofWrites()).toMatchObject([{ message: 'Redis does not answer: Tollgate decides limits without it' }]);
  writes.process.kill('SIGCONT');
  await until('the pool decides again', () => stateOf('writes') === 'CLOSED' && ofWrites().length > 1);
  expect(ofWrites().map(({ message }) => message)[1]).toBe('Redis answers again (pool writes) and decides limits');
  expect((await scrape(metrics)).get('tollgate_breaker_state{pool="writes"}')).toBe(0);
});

it('an API starts and serves while the Redis of a pool is down', async () => {
  const away = [{ name: 'writes', redis: 'redis://127.0.0.1:1', operationTypes: ['MUTATION' as const] }];
  const api = await serve({ pools: away, deadlineMs: 250 });
  expect(await ask(api, LOGIN)).toEqual({ status: 200, degraded: true });
  await until('the default Redis decides', async () => !(await ask(api, ITEM)).degraded);
});

it('the first operation waits for a Redis that connects slowly, up to the deadline', async () => {
  const slow = await startTcpProxy(search.url);
  onTestFinished(() => slow.close());
  await slow.set({ kind: 'delay', ms: 1100 });
  const api = await serve({ redis: slow.url, pools: [], deadlineMs: PATIENT_MS });
  expect(await ask(api, ITEM)).toEqual({ status: 200, degraded: false });
  await slow.set({ kind: 'pass' });
});

it('pools without a pattern, with a shared Redis, or without a default Redis are rejected', async () => {
  const name = uniqueName('pool').replaceAll('-', '_').toLowerCase();
  const pool = { name, redis: writes.url, operationTypes: ['MUTATION' as const] };
  await expect(serve({ pools: [{ name, redis: writes.url }] })).rejects.toThrow(/expected a pattern/);
  await expect(serve({ pools: [{ ...pool, redis: main.url }] })).rejects.toThrow(/expected a separate Redis/);
  await expect(serve({ redis: undefined as never, pools: [pool] })).rejects.toThrow(/expected redis too/);
});
