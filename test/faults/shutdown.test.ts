import { once } from 'node:events';
import { connect as openSocket, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countCases } from '../abuse/serve.js';
import type { Platform } from '../helpers/platform.js';
import { until } from '../helpers/until.js';
import { ask, askAdmin, FREE, openStack, PRO, type Stack } from './stack.js';
import { startTraffic } from './traffic.js';

const CALLERS = Array.from({ length: 16 }, (_, index) => [PRO, FREE, {}][index % 3]!);
/** A query whose actual cost equals its estimated cost. */
const QUERY = '{ countries(first: 100) { name officialName capitals } }';

let stack: Stack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.stop());

/** Maximum age of usage that is not stored yet. Usage is stored every second, in batches. */
const LAST_MOMENTS_MS = 2500;
/** Maximum time for closing while PostgreSQL hangs. */
const CLOSE_MS = 8_000;

async function recordedRequests(): Promise<number> {
  const [row] = await stack.db.query<{ count: number }>(
    'select coalesce(sum(requests), 0)::int as count from usage_minute',
  );
  return row!.count;
}

/** Opens a connection and sends the beginning of a request, for which a drain has to wait. */
async function beginRequest(platform: Platform): Promise<Socket> {
  const socket = openSocket(platform.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = ['POST /graphql HTTP/1.1', 'host: x', 'content-type: application/json', 'content-length: 1000'];
  socket.write(`${head.join('\r\n')}\r\n\r\n{"query":`);
  return socket;
}

describe('platform under load', () => {
  it('N2: a platform that is stopped interrupts no request, accepts no more, and exits with 0', async (context) => {
    const platform = await stack.start();
    let stopping = false;
    // After the stop, new connections may fail with ECONNREFUSED. Any other broken connection is a
    // failure.
    const mayBreak = (code: string | undefined) => stopping && code === 'ECONNREFUSED';
    const traffic = startTraffic({ url: platform.url, query: QUERY, callers: CALLERS, mayBreak });
    await until('responses arrive', () => traffic.result.requests >= 50);
    stopping = true;
    expect(await platform.stop()).toBe(0);
    const { failures, requests, statuses } = await traffic.stop();
    expect(failures).toEqual([]);
    // The recorded usage contains every request.
    expect(await recordedRequests()).toBe(requests);
    expect(Object.keys(statuses).every((status) => ['200', '429'].includes(status))).toBe(true);
    countCases(context, requests);
  });

  it('N2: a platform that is stopped during a request reports that it is not ready, and drops the request at the deadline', async () => {
    const platform = await stack.start({ TOLLGATE_SHUTDOWN_TIMEOUT_MS: '1500' });
    const [held, probe] = await Promise.all([beginRequest(platform), beginRequest(platform)]);
    probe.destroy();
    const probing = openSocket(platform.port, '127.0.0.1');
    await once(probing, 'connect');
    let probed = '';
    probing.on('data', (data) => {
      probed += data.toString();
    });
    // The first response proves that the connection was accepted before the stop.
    probing.write('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n');
    await until('the first response arrives', () => probed.includes('"ready"'));
    const stopped = platform.stop();
    await until('the platform accepts no new connections', async () => !(await isListening(platform)));
    probing.write('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n');
    await until('the second response arrives', () => /503 .*connection: close.*"stopping"/is.test(probed));
    expect(await stopped).toBe(0);
    held.destroy();
  });

  it('N2: a platform that is stopped twice ends immediately, with a failure', async () => {
    const platform = await stack.start({ TOLLGATE_SHUTDOWN_TIMEOUT_MS: '600000' });
    const held = await beginRequest(platform);
    const ended = once(platform.process, 'exit');
    platform.process.kill('SIGTERM');
    await until('the platform accepts no new connections', async () => !(await isListening(platform)));
    expect(platform.process.exitCode).toBeNull();
    platform.process.kill('SIGTERM');
    expect(await ended).toEqual([1, null]);
    held.destroy();
  });

  it('N2: a platform that is stopped while PostgreSQL hangs still ends soon', async () => {
    const platform = await stack.start({ TOLLGATE_SHUTDOWN_TIMEOUT_MS: '1000' });
    await ask(platform, PRO, QUERY);
    await stack.toPostgres.set({ kind: 'black-hole' });
    try {
      // After seven seconds, statements of every kind are in flight: the poll for changes, a
      // heartbeat, usage.
      const traffic = startTraffic({ url: platform.url, query: QUERY, callers: CALLERS, mayBreak: () => true });
      await new Promise((resolve) => setTimeout(resolve, 7_000));
      await traffic.stop();
      const signalledAtMs = performance.now();
      expect(await platform.stop()).toBe(0);
      expect(performance.now() - signalledAtMs).toBeLessThan(CLOSE_MS);
    } finally {
      await stack.toPostgres.set({ kind: 'pass' });
    }
  });

  it('N2: a platform that is killed loses at most the usage of its last moments', async () => {
    const platform = await stack.start();
    const before = await recordedRequests();
    const traffic = startTraffic({ url: platform.url, query: QUERY, callers: CALLERS, mayBreak: () => true });
    const answered: { atMs: number; requests: number }[] = [];
    const watching = setInterval(() => {
      answered.push({ atMs: performance.now(), requests: traffic.result.requests });
    }, 10);
    await until('usage is recorded', async () => (await recordedRequests()) > before);
    await until('more is recorded', async () => (await recordedRequests()) > before + traffic.result.requests / 2);
    const killedAtMs = performance.now();
    await platform.kill();
    clearInterval(watching);
    const { requests } = await traffic.stop();
    const recorded = (await recordedRequests()) - before;
    const safe = answered.findLast(({ atMs }) => atMs < killedAtMs - LAST_MOMENTS_MS)?.requests ?? 0;
    expect(recorded).toBeGreaterThanOrEqual(safe);
    // Requests that were in flight are recorded, but got no response.
    expect(recorded).toBeLessThanOrEqual(requests + CALLERS.length);
  });

  it('N2: every confirmed charge stays after a kill, no caller has a fresh bucket, and the next process continues', async () => {
    const first = await stack.start();
    const slow = 'name: "pro", capacity: 1000000, refillAmount: 1, refillPeriodMs: 1000000';
    await askAdmin(first, `mutation { tierUpdate(input: { ${slow} }) { userErrors { code } } }`);
    const stateOf = (answer: Awaited<ReturnType<typeof ask>>) => answer.body.extensions.cost;
    const before = stateOf(await ask(first, PRO, QUERY));
    const cost = before.requestedQueryCost;
    expect(before.actualQueryCost).toBe(cost);
    const traffic = startTraffic({
      url: first.url,
      query: QUERY,
      callers: CALLERS.map(() => PRO),
      mayBreak: () => true,
    });
    await until('responses arrive', () => traffic.result.requests >= 100);
    await first.kill();
    const { requests } = await traffic.stop();

    const second = await stack.start();
    const after = stateOf(await ask(second, PRO, QUERY));
    const spent = before.throttleStatus.currentlyAvailable - after.throttleStatus.currentlyAvailable;
    // The amount includes the charge of this operation, the charges of all requests that got a
    // response, and the charges in flight. Each client has at most one charge in flight.
    expect(spent).toBeGreaterThanOrEqual((requests + 1) * cost);
    expect(spent).toBeLessThanOrEqual((requests + 1 + CALLERS.length) * cost);
    const redis = new Redis(stack.redis.url);
    for (const key of await redis.keys('tg:*')) expect(await redis.pttl(key), key).toBeGreaterThan(0);
    await redis.quit();
    expect(await second.stop()).toBe(0);
  });
});

async function isListening({ port }: Platform): Promise<boolean> {
  const socket = openSocket(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
