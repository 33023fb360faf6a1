import { Cluster, Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { createLiveTraffic, type LiveTraffic } from '../../src/live/live-traffic.js';
import type { DecisionRecord } from '../../src/plugin/decision-record.js';
import { startRedisCluster } from '../helpers/redis-cluster.js';
import { startRedisServer } from '../helpers/servers.js';

const DECISION: DecisionRecord = {
  subject: { user: 'ann' },
  tier: 'free',
  operationType: 'QUERY',
  operationName: undefined,
  requestedCost: 5,
  chargedCost: 5,
  denial: undefined,
  deniedBy: undefined,
  shadowDeniedBy: [],
  degraded: false,
  durationMs: 1,
  mode: 'ENFORCE',
};

it('each decision is in one sample, though no two processes have the same clock', async () => {
  const server = await startRedisServer();
  const clients: Redis[] = [];
  const lives: LiveTraffic[] = [];
  try {
    for (const everyMs of [100, 60, 140]) {
      const redis = new Redis(server.url);
      clients.push(redis);
      lives.push(createLiveTraffic({ redis, everyMs }));
    }
    const [here, ...decide] = lives as [LiveTraffic, LiveTraffic, LiveTraffic];
    // The third watches too, and is asked, and told of, as often as it likes.
    const also = lives[2]!.watch();
    let admitted = 0;
    let decided = 0;
    let heardOfAllAt = 0;
    let lastMs = 0;
    let idle = 0;
    for await (const { processes, time, ...sample } of here.watch()) {
      if (lastMs > 0) admitted += sample.admitted * ((time.getTime() - lastMs) / 1000);
      lastMs = time.getTime();
      if (processes < 3) continue;
      heardOfAllAt++;
      if (heardOfAllAt <= 15) {
        for (const live of decide) live.observer.onDecision?.(DECISION);
        decided += decide.length;
      } else {
        idle = sample.admitted === 0 ? idle + 1 : 0;
        if (idle === 5) break;
      }
    }
    await also.return(undefined);
    // What is left is what a clock of whole milliseconds is off in some fifty.
    expect(admitted).toBeGreaterThan(decided - 1);
    expect(admitted).toBeLessThan(decided + 1);
  } finally {
    for (const live of lives) await live.close();
    for (const client of clients) client.disconnect();
    await server.stop();
  }
});

it('processes on a Redis Cluster hear of each other’s traffic, whichever node each is connected to', async () => {
  const cluster = await startRedisCluster();
  const clients: Cluster[] = [];
  const lives: LiveTraffic[] = [];
  try {
    for (let index = 0; index < 2; index++) {
      const redis = new Cluster([{ host: '127.0.0.1', port: cluster.ports[index]! }]);
      clients.push(redis);
      lives.push(createLiveTraffic({ redis, everyMs: 100 }));
    }
    const [here, there] = lives as [LiveTraffic, LiveTraffic];
    let cost = 0;
    for await (const sample of here.watch()) {
      // The other one counts once it was asked, and is heard of once it has told.
      there.observer.onDecision?.(DECISION);
      there.observer.onSettled?.(DECISION, 5);
      cost += sample.cost;
      if (sample.processes === 2 && cost > 0) {
        expect(sample.subjects).toMatchObject([{ user: 'ann' }]);
        break;
      }
    }
  } finally {
    for (const live of lives) await live.close();
    for (const client of clients) client.disconnect();
    await cluster.stop();
  }
}, 60_000);
