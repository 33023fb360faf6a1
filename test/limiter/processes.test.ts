import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { ChargeRequest } from '../../src/limiter/create-limiter.js';
import { type RedisCluster, startRedisCluster } from '../helpers/redis-cluster.js';
import { uniqueName } from '../helpers/servers.js';
import { someone } from './engines.js';

const RUNS = 50;
const PROCESSES = 4;
const CHARGES = 200;

const bucket: LimitCharge = {
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 100,
  refillAmount: 1,
  refillPeriodMs: 86_400_000,
  cost: 10,
};
const window: LimitCharge = {
  id: 'window',
  scope: 'TENANT',
  algorithm: 'SLIDING_WINDOW_COUNTER',
  amount: 10_000,
  windowMs: 86_400_000,
  cost: 1,
};

async function startWorkers(url: string): Promise<ChildProcess[]> {
  const script = fileURLToPath(new URL('./charge-worker.ts', import.meta.url));
  const workers = Array.from({ length: PROCESSES }, () => fork(script, [url], { execArgv: ['--import', 'tsx'] }));
  const ended = async (worker: ChildProcess) => {
    const [code] = await once(worker, 'exit');
    throw new Error(`a worker ended with ${code} before it was ready`);
  };
  await Promise.all(workers.map((worker) => Promise.race([once(worker, 'message'), ended(worker)])));
  return workers;
}

async function admittedBy(workers: ChildProcess[], request: ChargeRequest): Promise<number> {
  const counts = workers.map(async (worker) => {
    const answer = once(worker, 'message');
    worker.send({ request, times: CHARGES });
    return Number((await answer)[0]);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

describe(`${PROCESSES} processes with ${CHARGES} concurrent charges each, ${RUNS} times`, () => {
  let cluster: RedisCluster;
  let onRedis: ChildProcess[] = [];
  let onCluster: ChildProcess[] = [];
  beforeAll(async () => {
    cluster = await startRedisCluster({ replicas: false });
    onRedis = await startWorkers(inject('redisUrl'));
    onCluster = await startWorkers(cluster.url);
  });
  afterAll(async () => {
    for (const worker of [...onRedis, ...onCluster]) worker.disconnect();
    await cluster?.stop();
  });

  test('processes together admit exactly the capacity on one Redis', async () => {
    for (let run = 0; run < RUNS; run++) {
      expect(await admittedBy(onRedis, { subject: someone(), limits: [bucket, window] })).toBe(10);
    }
  });

  test('processes together admit exactly the capacity of one subject on a cluster', async () => {
    for (let run = 0; run < RUNS; run++) {
      expect(await admittedBy(onCluster, { subject: someone(), limits: [bucket, window] })).toBe(10);
    }
  });

  test('processes together never exceed the capacity of a global limit on another hash slot', async () => {
    for (let run = 0; run < RUNS / 10; run++) {
      const global: LimitCharge = { ...window, scope: 'GLOBAL', id: uniqueName('global'), amount: 30 };
      const limits = [{ ...bucket, capacity: 10_000 }, global];
      const admitted = await admittedBy(onCluster, { subject: someone(), limits });
      expect(admitted).toBeLessThanOrEqual(30);
      expect(admitted).toBeGreaterThan(0);
    }
  });
});
