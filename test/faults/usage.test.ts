import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AbuseApi, countCases, serveAbuseApi } from '../abuse/serve.js';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';

/** Maximum number of events in memory. */
const MAX_EVENTS = 200;
const EXPENSIVE = '{ items(first: 100) { id } }';
const CHEAP = '{ item { id } }';

let database: Awaited<ReturnType<typeof openServerDatabase>>;
let way: TcpProxy;
let api: AbuseApi;
beforeAll(async () => {
  database = await openServerDatabase();
  way = await startTcpProxy(database.url);
  api = await serveAbuseApi({
    // Denials are events: this bucket is empty after a few operations.
    capacity: 120,
    postgres: `${way.url}?statement_timeout=1000&query_timeout=1500`,
    usage: {
      flushMs: 50,
      maxEvents: MAX_EVENTS,
      maxDecisions: MAX_EVENTS,
      eventsPerSecond: 1_000_000,
      callerEventsPerMinute: 1_000_000,
      decisionsPerSecond: 1_000_000,
    },
  });
  const spend = async () => (await api.attemptConcurrently({ query: EXPENSIVE })).status;
  await until('the bucket is empty', async () => (await spend()) === 429);
});
afterAll(async () => {
  await api.close();
  await way.close();
  await database.dispose();
});

const numbers = () => api.tollgate.usage!.numbers();

/** Sends denied operations, ten at a time. Resolves to their durations in ascending order. */
async function flood(times: number): Promise<number[]> {
  const tookMs: number[] = [];
  for (let sent = 0; sent < times; sent += 10) {
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const startedMs = performance.now();
        expect((await api.attemptConcurrently({ query: EXPENSIVE })).status).toBe(429);
        tookMs.push(performance.now() - startedMs);
      }),
    );
  }
  return tookMs.sort((a, b) => a - b);
}

async function count(sql: string): Promise<number> {
  const [row] = await database.db.query<{ count: number }>(sql);
  return Number(row!.count);
}

describe('usage and a PostgreSQL that fails', () => {
  it('N1: all usage is stored while the database keeps up', async () => {
    await flood(100);
    await until('everything is stored', () => numbers().request.waiting === 0 && numbers().event.waiting === 0);
    const { seen, stored, dropped } = numbers().event;
    expect(seen).toBeGreaterThanOrEqual(100);
    expect({ stored, dropped }).toEqual({ stored: seen, dropped: 0 });
  });

  it.each([
    'black-hole',
    'refuse',
  ] as const)('N1: usage that cannot be stored (%s) stays bounded and delays no response, and its losses are counted', async (kind) => {
    const before = numbers();
    const usual = await flood(200);
    await way.set({ kind });
    const times = 20 * MAX_EVENTS;
    const tookMs = await flood(times);
    for (const what of ['event', 'decision'] as const) {
      const { seen, stored, dropped, waiting } = numbers()[what];
      expect(seen).toBe(stored + dropped + waiting);
      // At most one full batch is in flight while another one is collected.
      expect(waiting).toBeLessThanOrEqual(2 * MAX_EVENTS);
      expect(dropped).toBeGreaterThan(before[what].dropped);
    }
    const median = (sorted: number[]) => sorted[Math.floor(sorted.length / 2)]!;
    expect(median(tookMs)).toBeLessThan(2 * median(usual) + 2);

    await way.set({ kind: 'pass' });
    await until('the rest is stored', () => Object.values(numbers()).every(({ waiting }) => waiting === 0), 60_000);
    const { request, event } = numbers();
    expect(event.seen).toBe(event.stored + event.dropped);
    expect(await count('select count(*) from events')).toBe(event.stored);
    // Counts of requests are summed up in memory until they can be stored, so none of them is lost.
    expect(request).toMatchObject({ stored: request.seen, dropped: 0 });
    expect(await count('select sum(requests) as count from usage_minute')).toBe(request.stored);
    expect(await count('select sum(denied) as count from usage_minute')).toBe(event.seen);
  });

  it('N1: usage is recorded as before once the database is back', async (context) => {
    const before = numbers();
    await flood(100);
    await api.attemptConcurrently({ query: CHEAP });
    await until('everything is stored', () => Object.values(numbers()).every(({ waiting }) => waiting === 0));
    expect(numbers().event.dropped).toBe(before.event.dropped);
    countCases(context, numbers().request.seen);
  });
});
