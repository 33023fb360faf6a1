import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AbuseApi, serveAbuseApi } from '../abuse/serve.js';
import { startRedisServer, uniqueName } from '../helpers/servers.js';
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

interface Sent {
  status: number;
  retryAfter: string | null;
  error: { message: string; extensions: Record<string, unknown> } | undefined;
}

async function send(query: string, user: string): Promise<Sent> {
  const answer = await fetch(api.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user': user },
    body: JSON.stringify({ query }),
  });
  const body = (await answer.json()) as { errors?: Sent['error'][] };
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), error: body.errors?.[0] };
}

test('R2: a frozen Redis causes no 429: operations are admitted, or get 503 with the wait until they can be admitted', async () => {
  const user = uniqueName('frozen');
  // Half of the bucket, so three at the same time are more than it holds.
  const half = '{ items(first: 499999) { id } }';
  await until('Redis decides', async () => (await send('{ item { id } }', user)).status === 200);
  redis.process.kill('SIGSTOP');
  try {
    const one = await send('{ item { id } }', uniqueName('single'));
    expect(one.status).toBe(200);
    const burst = await Promise.all([half, half, half].map((query) => send(query, user)));
    expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([503]));
    for (const { error, retryAfter } of burst) {
      expect(error!.extensions).toEqual({ code: 'UNDECIDED', retryAfterMs: expect.any(Number), deniedBy: 'tier:free' });
      expect(error!.message).toBe(
        'The limiter could not decide in time: operations in flight may use up "tier:free". ' +
          'Nothing was charged; retry in 2 seconds',
      );
      expect(retryAfter).toBe('2');
    }
    await pause(Math.max(...burst.map(({ error }) => Number(error!.extensions['retryAfterMs']))));
    expect((await send(half, user)).status).toBe(200);
  } finally {
    redis.process.kill('SIGCONT');
  }
  await until(
    'Redis decides',
    async () => (await send('mutation { login(password: "x") { id } }', user)).status === 200,
  );
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
