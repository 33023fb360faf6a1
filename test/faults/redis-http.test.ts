import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AbuseApi, serveAbuseApi } from '../abuse/serve.js';
import { startRedisServer } from '../helpers/servers.js';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.js';
import { until } from '../helpers/until.js';

let redis: Awaited<ReturnType<typeof startRedisServer>>;
let proxy: TcpProxy;
let api: AbuseApi;
beforeAll(async () => {
  redis = await startRedisServer();
  proxy = await startTcpProxy(redis.url);
  const limits = [{ algorithm: 'FIXED_WINDOW' as const, amount: 1_000_000, windowMs: 86_400_000 }];
  const rule = { scope: 'USER' as const, measure: 'CALLS' as const, limits };
  api = await serveAbuseApi({
    redis: proxy.url,
    deadlineMs: 25,
    rules: [
      { ...rule, name: 'open', field: 'Query.items', onUnavailable: 'OPEN' },
      { ...rule, name: 'closed', field: 'Mutation.login', onUnavailable: 'CLOSED' },
    ],
  });
});
afterAll(async () => {
  await api.close();
  await proxy.close();
  await redis.stop();
});

test.each([
  'refuse',
  'black-hole',
] as const)('R2: a Redis that is unavailable (%s) causes no 5xx in LOCAL and OPEN, and exactly 503 in CLOSED', async (kind) => {
  const send = async (query: string) => {
    const answer = await fetch(api.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user': 'someone' },
      body: JSON.stringify({ query }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, never> };
  };
  await proxy.set({ kind });
  const answers = { local: new Set<number>(), open: new Set<number>(), closed: new Set<number>() };
  for (let i = 0; i < 100; i++) {
    answers.local.add((await send('{ item { id } }')).status);
    answers.open.add((await send('{ items { id } }')).status);
    answers.closed.add((await send('mutation { login(password: "x") { id } }')).status);
  }
  expect(answers).toEqual({ local: new Set([200]), open: new Set([200]), closed: new Set([503]) });
  await proxy.set({ kind: 'pass' });
  await until(
    'Redis decides again',
    async () => (await send('mutation { login(password: "x") { id } }')).status === 200,
  );
});
