import { Cluster } from 'ioredis';
import { expect, it } from 'vitest';
import { createLiveTraffic, type LiveTraffic } from '../../src/live/live-traffic.js';
import type { DecisionRecord } from '../../src/plugin/decision-record.js';
import { startRedisCluster } from '../helpers/redis-cluster.js';

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
