import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startRedisServer } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { ask, askAdmin, isDegraded, NOT_PATIENT, openStack, QUERY, readiness, type Stack, WRITE } from './stack.js';

let stack: Stack;
let writes: Awaited<ReturnType<typeof startRedisServer>>;
beforeAll(async () => {
  [stack, writes] = await Promise.all([openStack(), startRedisServer()]);
});
afterEach(() => {
  writes.process.kill('SIGCONT');
});
afterAll(async () => {
  await stack.stop();
  await writes.stop();
});

const pools = () => ({ TOLLGATE_POOLS: 'writes=type:MUTATION', REDIS_URL_WRITES: writes.url });
const key = { 'x-api-key': 'demo-pro' };
const degradedBy = async (platform: Awaited<ReturnType<Stack['start']>>, query: string) => {
  const { status, body } = await ask(platform, key, query);
  // A rule of the sample API limits notes, so it may deny this mutation. The response contains
  // `degraded` in either case.
  expect([200, 429]).toContain(status);
  return body.extensions.cost.degraded as boolean;
};

test('R2: a platform whose pool of mutations is frozen decides queries with Redis, without waiting for the pool', async () => {
  const platform = await stack.start(pools());
  expect(await degradedBy(platform, WRITE)).toBe(false);
  const quota = '{ quota(subject: { apiKey: "demo-pro" }) { limits { rule pool used } } }';
  const { body } = await askAdmin(platform, quota);
  expect(body.errors).toBeUndefined();
  const used = (body.data.quota.limits as { pool: string; used: string }[])
    .filter((limit) => Number(limit.used) > 0)
    .map(({ pool }) => pool);
  expect(new Set(used)).toEqual(new Set(['writes']));
  writes.process.kill('SIGSTOP');
  let isAnswered = false;
  const hanging = degradedBy(platform, WRITE).finally(() => {
    isAnswered = true;
  });
  for (let i = 0; i < 20; i++) expect(await degradedBy(platform, QUERY)).toBe(false);
  expect(isAnswered).toBe(false);
  writes.process.kill('SIGCONT');
  expect(await hanging).toBe(false);
});

test('R2: readiness, metrics and the log name the pool that does not respond', async () => {
  const platform = await stack.start({ ...pools(), ...NOT_PATIENT });
  writes.process.kill('SIGSTOP');
  await until('the outage of the pool is reported', async () => {
    expect(await degradedBy(platform, WRITE)).toBe(true);
    return isDegraded(platform, 'Redis (pool writes) has not answered');
  });
  expect((await readiness(platform)).status).toBe('ready');
  const metrics = await (await fetch(`${platform.url}/metrics`, { headers: { connection: 'close' } })).text();
  expect(metrics).toMatch(/^tollgate_breaker_state\{pool="writes"\} [12]$/m);
  expect(metrics).toMatch(/^tollgate_engine_errors_total\{pool="writes",class="deadline"\} \d+$/m);
  writes.process.kill('SIGCONT');
  await until('the pool decides again', async () => !(await degradedBy(platform, WRITE)));
  expect(platform.output()).toMatch(/"pool":"writes".*Redis does not answer: Tollgate decides limits without it/);
});
