import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../helpers/until.js';
import { type CutTarget, expectSafe, POINTS, runWith, runWithProbe, TARGETS } from '../limiter/redis/cut-scenario.js';
import {
  addRule,
  expectArrival,
  FEED_MESSAGES,
  type FeedMessage,
  type FeedServers,
  startFeed,
  startFeedServers,
} from './cut-feed.js';

/**
 * The test cuts only probes with a lower number. A run can need several probes, because nodes whose
 * connections recover one by one are probed more than once each.
 */
const MOST_PROBES = 8;

describe.each(Object.entries(TARGETS))('cut connections to %s', (where, start) => {
  let target: CutTarget;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target?.stop());

  test('every used amount stays within its correct bounds, wherever a connection is cut', async () => {
    const { seen, used, slots, denied } = await runWith(target, undefined);
    expect(used).toEqual([40, 40, 40]);
    expect(slots).toBe(0);
    expect(denied).toMatchObject({ admitted: false, degraded: false });
    const ofBoth = ['heartbeat', 'charge', 'settle: correct'];
    const ofCluster = ['settle: confirm', 'settle: cancel'];
    const expected = where === 'a Redis Cluster' ? [...ofBoth, ...ofCluster] : ofBoth;
    expect([...seen.keys()]).toEqual(expect.arrayContaining(expected));
    for (const [label, count] of seen) {
      for (let nth = 1; nth <= count; nth++)
        for (const point of POINTS) await expectSafe(target, { label, nth, point });
    }
  });

  test('the breaker closes and every used amount is exact, wherever the connection of a probe is cut', async () => {
    for (const point of POINTS) {
      // Each run cuts the next probe, until a run needs no further probe.
      for (let nth = 1; nth < MOST_PROBES; nth++) {
        const { probes, used, slots } = await runWithProbe(target, { nth, point });
        const where = JSON.stringify({ nth, point });
        expect.soft(used, where).toEqual([40, 40, 40]);
        expect.soft(slots, where).toBe(0);
        if (nth > 1 && probes < nth) break;
        // The number includes the probe that was cut and the probes of the next attempt.
        expect.soft(probes, where).toBeGreaterThan(nth);
      }
    }
  });
});

describe('change feed with cut connections', () => {
  let servers: FeedServers;
  beforeAll(async () => {
    servers = await startFeedServers();
  });
  afterAll(() => servers?.stop());

  const messages = Object.keys(FEED_MESSAGES) as FeedMessage[];
  test.each(
    messages.flatMap((message) => POINTS.map((point) => ({ message, point }))),
  )('the change feed delivers every rule once when the connection of a $message is cut ($point)', async ({
    message,
    point,
  }) => {
    for (const nth of [1, 2]) {
      // A connection subscribes only once.
      if (message === 'subscribe' && nth > 1) continue;
      await expectArrival(servers, message, nth, point);
    }
  });

  test('the next message of the change feed delivers a rule whose own message was lost with its connection', async () => {
    const { writer, startReader, listeners } = await startFeed(servers, 3_600_000);
    const others = await listeners();
    const reader = await startReader();
    await until('the reader listens', async () => (await listeners()) === others + 1);
    await servers.ways.readerRedis.set({ kind: 'refuse' });
    await until('the reader does not listen', async () => (await listeners()) === others);
    const lost = await addRule(writer);
    await servers.ways.readerRedis.set({ kind: 'pass' });
    await until('the reader listens again', async () => (await listeners()) === others + 1);
    expect(reader.ruleNames()).not.toContain(lost);
    const next = await addRule(writer);
    await until('both rules are in force', () => [lost, next].every((name) => reader.ruleNames().includes(name)));
    expect(reader.ruleNames()).toEqual(writer.ruleNames());
  });
});
