import { Cluster, Redis } from 'ioredis';
import { describe, expect, inject, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { startRedisCluster } from '../../helpers/redis-cluster.js';
import { uniqueName } from '../../helpers/servers.js';
import { startTcpProxy } from '../../helpers/tcp-proxy.js';

const SAFE = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 0 } as const;
const limits: LimitCharge[] = [
  { id: 'window', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 86_400_000, cost: 1 },
];

async function firstDecision(redis: Redis | Cluster) {
  const limiter = createLimiter({ redis, deadlineMs: PATIENT_MS });
  try {
    await limiter.opened;
    return await limiter.charge({ subject: { user: uniqueName('given') }, limits });
  } finally {
    await limiter.close();
    redis.disconnect();
  }
}

describe('limiter with a given client without an offline queue', () => {
  test.each([false, true])('a limiter opens once its given client is ready (lazyConnect: %s)', async (lazyConnect) => {
    const proxy = await startTcpProxy(inject('redisUrl'));
    // Simulates a network latency of 50 ms.
    await proxy.set({ kind: 'delay', ms: 50 });
    const redis = new Redis(proxy.url, { ...SAFE, lazyConnect });
    expect(await firstDecision(redis)).toMatchObject({ admitted: true, degraded: false });
    await proxy.close();
  });

  test('a limiter opens once its given Cluster client is ready', async () => {
    const cluster = await startRedisCluster({ replicas: false });
    const nodes = cluster.ports.map((port) => ({ host: '127.0.0.1', port }));
    const client = new Cluster(nodes, { enableOfflineQueue: false, redisOptions: { maxRetriesPerRequest: 0 } });
    expect(await firstDecision(client)).toMatchObject({ admitted: true, degraded: false });
    await cluster.stop();
  });

  test('a limiter opens without Redis when its given client does not become ready', async () => {
    const proxy = await startTcpProxy(inject('redisUrl'));
    await proxy.set({ kind: 'refuse' });
    const redis = new Redis(proxy.url, SAFE);
    redis.on('error', () => {});
    expect(await firstDecision(redis)).toMatchObject({ admitted: true, degraded: true });
    await proxy.close();
  });
});
