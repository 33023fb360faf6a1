import { Cluster, Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { createAddressUsers } from '../../../src/observability/live/address-users.js';
import type { TrafficSample } from '../../../src/observability/live/create-traffic-samples.js';
import { createHotCallers } from '../../../src/observability/live/hot-callers.js';
import { createLiveTraffic, type LiveTraffic } from '../../../src/observability/live/live-traffic.js';
import { startRedisCluster } from '../../helpers/redis-cluster.js';
import { startRedisServer } from '../../helpers/servers.js';
import { until } from '../../helpers/until.js';
import { DECISION } from './decision.js';

it('each decision is in exactly one sample, although the clocks of the processes differ', async () => {
  const server = await startRedisServer();
  const clients: Redis[] = [];
  const lives: LiveTraffic[] = [];
  try {
    // A process that sends no report for three samples counts as gone, even if the machine is busy.
    for (const everyMs of [500, 300, 700]) {
      const redis = new Redis(server.url);
      clients.push(redis);
      lives.push(createLiveTraffic({ redis, everyMs }));
    }
    const [here, ...decide] = lives as [LiveTraffic, LiveTraffic, LiveTraffic];
    // The third process watches too. Therefore, the processes request samples of each other at any
    // time.
    const also = lives[2]!.watch();
    let admitted = 0;
    let decided = 0;
    let samplesOfAll = 0;
    let idle = 0;
    for await (const { processes, ...sample } of here.watch()) {
      admitted += sample.admitted;
      if (processes < 3) continue;
      samplesOfAll++;
      if (samplesOfAll <= 8) {
        for (const live of decide) live.observer.onDecision?.(DECISION);
        decided += decide.length;
      } else {
        idle = sample.admitted === 0 ? idle + 1 : 0;
        if (idle === 4) break;
      }
    }
    await also.return(undefined);
    expect(admitted).toBe(decided);
  } finally {
    for (const live of lives) await live.close();
    for (const client of clients) client.disconnect();
    await server.stop();
  }
});

it('processes that use another database, or another prefix of keys, are not in the live traffic', async () => {
  const server = await startRedisServer();
  const options = [{}, {}, { db: 3 }, { keyPrefix: 'theirs:' }];
  const clients = options.map((one) => new Redis(server.url, one));
  const channels = new Set<string>();
  const listener = new Redis(server.url);
  listener.on('pmessage', (_pattern, channel: string) => channels.add(channel));
  await listener.psubscribe('tg:live:ask*');
  const lives = clients.map((redis) => createLiveTraffic({ redis, everyMs: 100 }));
  try {
    const watched = lives.map((live) => {
      const processes: number[] = [];
      void (async () => {
        for await (const sample of live.watch()) processes.push(sample.processes);
      })();
      return processes;
    });
    await until('each installation has its channel', () => channels.size === 3);
    await until('the processes with the same keys see each other', () => watched[0]!.at(-1) === 2);
    await until('each process has samples', () => watched.every(({ length }) => length > 5));
    expect(watched.map((processes) => Math.max(...processes))).toEqual([2, 2, 1, 1]);
    expect([...channels].sort()).toEqual(['tg:live:ask', 'tg:live:ask:0:theirs:', 'tg:live:ask:3:']);
  } finally {
    for (const live of lives) await live.close();
    for (const client of [...clients, listener]) client.disconnect();
    await server.stop();
  }
});

it('live traffic counts other processes from the start of watching, and omits processes that have stopped', async () => {
  const server = await startRedisServer();
  const clients: Redis[] = [];
  const everyMs = 400;
  const lives = Array.from({ length: 3 }, () => {
    const redis = new Redis(server.url);
    clients.push(redis);
    return createLiveTraffic({ redis, everyMs });
  });
  const [here, there, elsewhere] = lives as [LiveTraffic, LiveTraffic, LiveTraffic];
  const decide = (count: number) => {
    for (let i = 0; i < count; i++) there.observer.onDecision?.(DECISION);
  };
  try {
    const other = watch(elsewhere);
    await until('the other processes are counted', () => other.samples.at(-1)?.processes === 3);
    // When another process has received these counts, no earlier counts are in flight.
    const decideUnwatched = async () => {
      const before = other.admitted();
      decide(500);
      await until('the decisions have arrived', () => other.admitted() > before + 450);
    };
    await decideUnwatched();
    for (const count of [20, 30]) {
      const mine = watch(here);
      await until('all processes are counted', () => mine.samples.at(-1)?.processes === 3);
      decide(count);
      await until('the decisions have arrived', () => mine.admitted() >= count);
      await mine.stop();
      expect(mine.admitted()).toBe(count);
      // All of these decisions are in the last ten seconds.
      expect(mine.samples.at(-1)?.recent.admitted).toBe(count);
      await decideUnwatched();
    }
    const mine = watch(here);
    await until('all processes are counted', () => mine.samples.at(-1)?.processes === 3);
    await there.close();
    await until('the stopped process is not counted', () => mine.samples.at(-1)?.processes === 2);
    await Promise.all([mine.stop(), other.stop()]);
  } finally {
    for (const live of lives) await live.close();
    for (const client of clients) client.disconnect();
    await server.stop();
  }
});

/** Collects samples until it is stopped. */
function watch(live: LiveTraffic) {
  const samples: TrafficSample[] = [];
  const watched = live.watch();
  const ended = (async () => {
    for await (const sample of watched) samples.push(sample);
  })();
  return {
    samples,
    admitted: () => samples.reduce((sum, { admitted }) => sum + admitted, 0),
    async stop() {
      await watched.return(undefined);
      await ended;
    },
  };
}

it('processes on a Redis Cluster receive the traffic of each other, even through different nodes', async () => {
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
      // The other process starts to count when it is asked for a sample. It appears in a sample
      // after its first reply.
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
});

it.each([
  'one Redis',
  'a Cluster',
])('hot callers are collected from all processes on %s, at most once a second', async (where) => {
  const cluster = where === 'a Cluster' ? await startRedisCluster({ replicas: false }) : undefined;
  const server = cluster ? undefined : await startRedisServer();
  const clients: (Redis | Cluster)[] = [];
  const processes = Array.from({ length: 3 }, (_, index) => {
    const redis = cluster ? new Cluster([{ host: '127.0.0.1', port: cluster.ports[index]! }]) : new Redis(server!.url);
    clients.push(redis);
    const hotCallers = createHotCallers();
    const addressUsers = createAddressUsers();
    return { hotCallers, addressUsers, live: createLiveTraffic({ redis, hotCallers, addressUsers }) };
  });
  try {
    const [here] = processes;
    for (const { hotCallers } of processes) for (let i = 0; i < 100; i++) hotCallers.onDecision(DECISION);
    for (let i = 0; i < 50; i++) here!.hotCallers.onDecision({ ...DECISION, subject: { apiKey: 'key' } });
    let report = await here!.live.hotCallers();
    // The other processes subscribe asynchronously, so their replies may be missing at first.
    await until('all processes have replied', async () => {
      report = await here!.live.hotCallers();
      return report.processes === 3;
    });
    expect(report.callers).toMatchObject([{ user: 'ann' }, { apiKey: 'key' }]);
    const [ann, key] = report.callers.map(({ decisionsPerSecond }) => decisionsPerSecond);
    // All processes have counted for about the same time, so the ratio of rates is about the ratio
    // of decisions.
    expect(ann! / key!).toBeGreaterThan(3);
    expect(await Promise.all([here!.live.hotCallers(), here!.live.hotCallers()])).toEqual([report, report]);
    // The users of addresses are added up, and a user at several processes counts once.
    for (const [index, { addressUsers }] of processes.entries()) {
      for (const user of ['ann', `user ${index}`])
        addressUsers.onDecision({ ...DECISION, subject: { user, ip: '192.0.2.1' } });
    }
    await until('all processes have reported their addresses', async () => {
      const { addresses, processes: reported } = await here!.live.sharedAddresses();
      if (reported === 3) expect(addresses).toEqual([{ ip: '192.0.2.1', users: 4, isEstimate: false }]);
      return reported === 3;
    });
    // The watched samples report the same callers.
    for await (const sample of processes[1]!.live.watch()) {
      if (sample.processes < 3) continue;
      expect(sample.hotCallers.map(({ user, apiKey }) => user ?? apiKey)).toEqual(['ann', 'key']);
      break;
    }
  } finally {
    for (const { live } of processes) await live.close();
    for (const client of clients) client.disconnect();
    await cluster?.stop();
    await server?.stop();
  }
});

it('the hot callers of this process are listed while Redis is unavailable', async () => {
  const server = await startRedisServer();
  const redis = new Redis(server.url, { maxRetriesPerRequest: 0, enableOfflineQueue: false });
  redis.on('error', () => {});
  const hotCallers = createHotCallers();
  const live = createLiveTraffic({ redis, hotCallers });
  hotCallers.onDecision(DECISION);
  await server.stop();
  expect(await live.hotCallers()).toMatchObject({ processes: 1, callers: [{ user: 'ann' }] });
  await live.close();
  redis.disconnect();
});
