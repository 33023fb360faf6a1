import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { percentile } from '../../bench/frame/statistics.js';
import { decisionLatency, type Metrics, readMetrics } from '../../bench/load/read-metrics.js';
import type { UsageRecord } from '../../src/model/usage-record.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import type { UsageKind } from '../../src/usage/record/create-usage-counter.js';
import { createUsageRecorder } from '../../src/usage/record/create-usage-recorder.js';
import { countCases } from '../abuse/serve.js';
import type { Platform } from '../helpers/platform.js';
import { until } from '../helpers/until.js';
import { reportFigure } from '../report/figures.js';
import { ask, FREE, openStack, PRO, type Stack } from './stack.js';
import { startTraffic } from './traffic.js';

const CALLERS = Array.from({ length: 16 }, (_, index) => [PRO, FREE, {}][index % 3]!);
/**
 * A query whose actual cost is lower than its estimated cost, so that the two are distinguished.
 */
const QUERY = '{ countries(first: 20) { name borders { name } } }';

let stack: Stack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.stop());

/** Adds up the costs and denials in responses, in the form of the recorded usage. */
function createTally() {
  const tally = { requests: 0, denied: 0, estimated_cost: 0, actual_cost: 0, denied_cost: 0 };
  return {
    tally,
    onAnswer({ status, text }: { status: number; text: string }) {
      const { cost } = JSON.parse(text).extensions ?? {};
      if (cost === undefined) throw new Error(`an answer without a cost: ${status} ${text}`);
      const { requestedQueryCost, actualQueryCost } = cost;
      tally.requests++;
      if (status === 200) {
        tally.estimated_cost += requestedQueryCost;
        tally.actual_cost += actualQueryCost;
      } else {
        tally.denied++;
        tally.denied_cost += requestedQueryCost;
      }
    },
  };
}

type Tally = ReturnType<typeof createTally>['tally'];

/**
 * Starts a platform that knows the callers. On a busy machine the look-up of an unknown caller in
 * PostgreSQL may take too long.
 */
async function startKnowing(onAnswer: ReturnType<typeof createTally>['onAnswer']): Promise<Platform> {
  // The platform stores every denial, so that the test can count them.
  const platform = await stack.start({
    TOLLGATE_EVENTS_PER_SECOND: '10000',
    TOLLGATE_CALLER_EVENTS_PER_MINUTE: '10000',
  });
  for (const caller of [PRO, FREE]) {
    await until('the caller is known', async () => {
      const { status, body } = await ask(platform, caller, QUERY);
      if (status !== 503) onAnswer({ status, text: JSON.stringify(body) });
      return status !== 503;
    });
  }
  return platform;
}

/** Returns all stored usage. Checks that the sums per minute, per hour and per day are equal. */
async function storedUsage(): Promise<Tally> {
  const levels = await Promise.all(
    ['usage_minute', 'usage_hour', 'usage_day'].map((table) =>
      stack.db.query<Record<keyof Tally, string>>(
        `select coalesce(sum(requests), 0) as requests, coalesce(sum(denied), 0) as denied,
          coalesce(sum(estimated_cost), 0) as estimated_cost, coalesce(sum(actual_cost), 0) as actual_cost,
          coalesce(sum(denied_cost), 0) as denied_cost from ${table}`,
      ),
    ),
  );
  const [minutes, hours, days] = levels.map(([row]) => row!);
  expect(hours).toEqual(minutes);
  expect(days).toEqual(minutes);
  return Object.fromEntries(Object.entries(minutes!).map(([name, sum]) => [name, Number(sum)])) as Tally;
}

function added(after: Tally, before: Tally): Tally {
  const names = Object.keys(after) as (keyof Tally)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Tally;
}

async function countOf(table: string, where = 'true'): Promise<number> {
  const [row] = await stack.db.query<{ count: number }>(`select count(*) as count from ${table} where ${where}`);
  return row!.count;
}

/** Returns the number of the batch of usage that was stored last, or 0 if no batch was stored. */
async function lastBatch(): Promise<number> {
  const [row] = await stack.db.query<{ last_batch: number }>(
    'select last_batch from usage_writers order by stored_at desc limit 1',
  );
  return row?.last_batch ?? 0;
}

describe('recorded usage', () => {
  it('N2: a stop under load stores exactly what the callers saw, in requests, cost and denials', async (context) => {
    const { tally, onAnswer } = createTally();
    const platform = await startKnowing(onAnswer);
    let stopping = false;
    const mayBreak = (code: string | undefined) => stopping && code === 'ECONNREFUSED';
    const traffic = startTraffic({ url: platform.url, query: QUERY, callers: CALLERS, mayBreak, onAnswer });
    await until('responses arrive', () => tally.requests >= 1_000 && tally.denied > 0, 60_000);
    stopping = true;
    expect(await platform.stop()).toBe(0);
    expect((await traffic.stop()).failures).toEqual([]);
    expect(await storedUsage()).toEqual(tally);
    expect(await countOf('events', `kind = 'DENIED'`)).toBe(tally.denied);
    countCases(context, tally.requests);
  });

  it('N2: a kill loses only the last batch of usage of completed requests', async (context) => {
    const before = await storedUsage();
    const { tally, onAnswer } = createTally();
    const platform = await startKnowing(onAnswer);
    const traffic = startTraffic({
      url: platform.url,
      query: QUERY,
      callers: CALLERS,
      mayBreak: () => true,
      onAnswer,
    });
    await until('responses arrive', () => tally.requests >= 300, 60_000);
    const answered = tally.requests;
    // The next batch may already be on its way. The batch after it is created later, so these two
    // batches contain all requests completed by now.
    const batch = await lastBatch();
    await until('two more batches are stored', async () => (await lastBatch()) >= batch + 2);
    await platform.kill();
    await traffic.stop();
    const stored = added(await storedUsage(), before);
    expect(stored.requests).toBeGreaterThanOrEqual(answered);
    // For each client, the usage of one response that was not sent yet may be stored already.
    expect(stored.requests).toBeLessThanOrEqual(tally.requests + CALLERS.length);
    countCases(context, tally.requests);
    const lost = tally.requests - stored.requests;
    reportFigure(context, `killed: ${lost} of ${tally.requests} answered requests were not stored`);
  });

  it('N1: a PostgreSQL that needs ten seconds for the usage of one second delays no decision, and nothing is lost', async (context) => {
    const before = await storedUsage();
    const { tally, onAnswer } = createTally();
    const platform = await startKnowing(onAnswer);
    const took: number[] = [];
    const traffic = startTraffic({
      url: platform.url,
      query: QUERY,
      callers: CALLERS,
      onAnswer(answer) {
        onAnswer(answer);
        took.push(answer.tookMs);
      },
    });
    /** Returns the durations of a thousand responses, and of the decisions in the same period. */
    const measure = async (what: string) => {
      took.length = 0;
      const earlier = await readMetrics(platform.url);
      await until(what, () => took.length >= 1_000, 60_000);
      return { answers: took.splice(0), decisions: decisionLatency(earlier, await readMetrics(platform.url)) };
    };
    await until('responses arrive', () => took.length >= 500, 60_000);
    const usual = await measure('responses before the delay');
    // A batch has a dozen statements, so it takes more than ten seconds.
    await stack.toPostgres.set({ kind: 'delay', ms: 1_000 });
    const slow = await measure('responses while PostgreSQL is slow');
    const waiting = waitingOf(await readMetrics(platform.url));
    await stack.toPostgres.set({ kind: 'pass' });
    expect((await traffic.stop()).failures).toEqual([]);
    await until('everything is stored', async () => waitingOf(await readMetrics(platform.url)) === 0, 60_000);
    const metrics = await readMetrics(platform.url);
    const [seen, stored, dropped] = ['seen', 'stored', 'dropped'].map((name) =>
      metrics.sum(`tollgate_usage_${name}_total`, { kind: 'request' }),
    );
    expect({ seen, stored, dropped }).toEqual({ seen: tally.requests, stored: tally.requests, dropped: 0 });
    expect(await platform.stop()).toBe(0);
    expect(added(await storedUsage(), before)).toEqual(tally);
    // A response that waited for one statement would take a second longer.
    expect(percentile(slow.answers, 0.5)).toBeLessThan(percentile(usual.answers, 0.5) + 500);
    countCases(context, tally.requests);
    const latency = ({ answers, decisions }: typeof usual) =>
      `decisions p50 ${decisions.p50.toFixed(1)} p99 ${decisions.p99.toFixed(1)} ms, answers p50 ` +
      `${percentile(answers, 0.5).toFixed(0)} p99 ${percentile(answers, 0.99).toFixed(0)} ms`;
    reportFigure(context, `usual: ${latency(usual)}; slow: ${latency(slow)}; ${waiting} requests waited to be stored`);
  });

  it('N1: usage at ten times the speed of a slow PostgreSQL stays bounded, and seen = stored + dropped exactly', async (context) => {
    const [eventsBefore, decisionsBefore, usageBefore] = [
      await countOf('events'),
      await countOf('decisions'),
      await storedUsage(),
    ];
    const db = await createPgDb({ url: stack.toPostgres.url, maxConnections: 2 });
    const bounds = { maxEvents: 200, maxDecisions: 100, eventsPerSecond: 10_000, callerEventsPerMinute: 100_000 };
    const recorder = createUsageRecorder({ db, flushMs: 10, decisionsPerSecond: 10_000, ...bounds });
    await stack.toPostgres.set({ kind: 'delay', ms: 20 });
    let seen = 0;
    let mostWaiting = 0;
    let slowestMs = 0;
    while (seen < 20_000) {
      for (let index = 0; index < 100; index++) {
        const startedMs = performance.now();
        recorder.record(denied(seen++));
        slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      }
      mostWaiting = Math.max(mostWaiting, recorder.numbers().event.waiting);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await stack.toPostgres.set({ kind: 'pass' });
    await recorder.close();
    await db.close();

    const numbers = recorder.numbers();
    for (const kind of ['request', 'event', 'decision'] satisfies UsageKind[]) {
      expect(numbers[kind].seen).toBe(numbers[kind].stored + numbers[kind].dropped);
      expect(numbers[kind].waiting).toBe(0);
    }
    expect(numbers.event.seen).toBe(seen);
    expect(numbers.event.dropped).toBeGreaterThan(seen / 2);
    expect(await countOf('events')).toBe(eventsBefore + numbers.event.stored);
    expect(await countOf('decisions')).toBe(decisionsBefore + numbers.decision.stored);
    // Usage is summed up, so the memory suffices for all of it.
    expect(numbers.request).toMatchObject({ seen, stored: seen });
    expect(added(await storedUsage(), usageBefore)).toMatchObject({
      requests: seen,
      denied: seen,
      denied_cost: 3 * seen,
    });
    // The number includes the waiting events and those in flight.
    expect(mostWaiting).toBeLessThanOrEqual(2 * bounds.maxEvents);
    expect(slowestMs).toBeLessThan(500);
    countCases(context, seen);
  });
});

function waitingOf(metrics: Metrics): number {
  return metrics.sum('tollgate_usage_waiting', { kind: 'request' });
}

function denied(index: number): UsageRecord {
  return {
    atMs: Date.now(),
    durationMs: 1,
    subject: { user: `user-${index % 50}` },
    tier: 'free',
    operationType: 'QUERY',
    operationName: `Operation${index % 5}`,
    client: undefined,
    isAgent: false,
    batchId: undefined,
    denial: 'THROTTLED',
    deniedBy: 'tier:free',
    degraded: false,
    estimatedCost: 3,
    actualCost: undefined,
    limits: [],
    fields: undefined,
  };
}
