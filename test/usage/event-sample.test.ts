import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UsageRecord } from '../../src/model/usage-record.js';
import { loadPromClient } from '../../src/observability/metrics/load-prom-client.js';
import { showUsage } from '../../src/observability/metrics/show-usage.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createEventSample } from '../../src/usage/record/create-event-sample.js';
import { createUsageRecorder, type UsageRecorderOptions } from '../../src/usage/record/create-usage-recorder.js';
import { scrape } from '../helpers/samples.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { recordOf } from './one-record.js';

beforeAll(loadPromClient);

const START_MS = Date.parse('2026-03-01T12:00:00Z');

describe('the sample of events', () => {
  it('the sample keeps a bounded number of events per minute of one caller, rule and kind, and counts the rest', () => {
    const clock = { nowMs: START_MS };
    const sample = createEventSample({ perSecond: 100, ofCallerPerMinute: 3, now: () => clock.nowMs });
    const takenOf = (user: string, rule: string, kind: 'DENIED' | 'SHADOW_DENIED' = 'DENIED') =>
      Array.from({ length: 10 }, () => sample.mayKeep({ user }, kind, rule)).filter(Boolean).length;
    expect(takenOf('ann', 'a')).toBe(3);
    expect(takenOf('ann', 'b')).toBe(3);
    expect(takenOf('ann', 'a', 'SHADOW_DENIED')).toBe(3);
    expect(takenOf('bob', 'a')).toBe(3);
    clock.nowMs += 59_999;
    expect(takenOf('ann', 'a')).toBe(0);
    clock.nowMs += 1;
    expect(takenOf('ann', 'a')).toBe(3);
    expect(sample.suppressed).toEqual({ caller: 4 * 7 + 10 + 7, process: 0 });
  });

  it('the sample keeps a bounded number of events in ten seconds, and at most a quarter of them from one caller', () => {
    const clock = { nowMs: START_MS };
    const sample = createEventSample({ perSecond: 4, ofCallerPerMinute: 5, now: () => clock.nowMs });
    const ofManyRules = () =>
      Array.from({ length: 1_000 }, (_, rule) => sample.mayKeep({ user: 'ann' }, 'DENIED', `rule${rule}`));
    const ofManyCallers = () =>
      Array.from({ length: 1_000 }, (_, caller) => sample.mayKeep({ ip: `10.0.0.${caller}` }, 'DENIED', 'a'));
    for (let window = 0; window < 3; window++) {
      expect(ofManyRules().filter(Boolean)).toHaveLength(10);
      expect(ofManyCallers().filter(Boolean)).toHaveLength(30);
      expect(sample.suppressed).toEqual({ caller: 990 * (window + 1), process: 970 * (window + 1) });
      clock.nowMs += 10_000;
    }
  });

  it('a sample with the rate 0 keeps no event, and a sample with a low rate keeps single events', () => {
    const now = () => START_MS;
    const none = createEventSample({ perSecond: 0, ofCallerPerMinute: 5, now });
    expect(none.mayKeep({ user: 'ann' }, 'DENIED', 'a')).toBe(false);
    const seldom = createEventSample({ perSecond: 0.1, ofCallerPerMinute: 5, now });
    expect([1, 2].map((rule) => seldom.mayKeep({ user: 'ann' }, 'DENIED', `${rule}`))).toEqual([true, false]);
  });
});

describe('events of a flood', () => {
  let opened: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    opened = await openServerDatabase();
    db = opened.db;
    await migrate(db);
  });
  afterAll(() => opened.dispose());
  beforeEach(async () => {
    for (const table of ['events', 'usage_violation_day', 'usage_rule_day', 'usage_day']) {
      await db.query(`delete from ${table}`);
    }
  });

  const numberOf = async (sql: string) => Number((await db.query<{ n: number }>(`select ${sql}`))[0]!.n);

  async function recordAll(records: Iterable<UsageRecord>, options: Partial<UsageRecorderOptions> = {}) {
    const registry = new Registry();
    const recorder = createUsageRecorder({ db, flushMs: 3_600_000, now: () => START_MS, ...options });
    showUsage(registry, recorder);
    for (const one of records) recorder.record(one);
    await recorder.close();
    return { numbers: recorder.numbers(), samples: await scrape(registry) };
  }

  it('for a flood of one caller, a few events are stored, and the totals count all denials', async () => {
    const flood = Array.from({ length: 20_000 }, () =>
      recordOf({ atMs: START_MS, denial: 'THROTTLED', deniedBy: 'tier:free' }),
    );
    const { numbers, samples } = await recordAll(flood);
    expect(await numberOf('count(*) as n from events')).toBe(10);
    expect(numbers.event).toEqual({ seen: 10, stored: 10, dropped: 0, waiting: 0 });
    expect(samples.get('tollgate_usage_suppressed_events_total{bound="caller"}')).toBe(19_990);
    expect(samples.get('tollgate_usage_suppressed_events_total{bound="process"}')).toBe(0);
    expect(await numberOf('sum(denied) as n from usage_violation_day')).toBe(20_000);
    expect(await numberOf('sum(denied) as n from usage_rule_day')).toBe(20_000);
    expect(await numberOf('sum(denied) as n from usage_day')).toBe(20_000);
  });

  it('for a flood of many callers, no more events are stored than the bound of the process', async () => {
    const flood = Array.from({ length: 5_000 }, (_, caller) =>
      recordOf({
        atMs: START_MS,
        subject: { ip: `10.0.${caller >> 8}.${caller & 255}` },
        denial: 'THROTTLED',
        deniedBy: 'a',
      }),
    );
    const { samples } = await recordAll(flood);
    expect(await numberOf('count(*) as n from events')).toBe(50);
    expect(samples.get('tollgate_usage_suppressed_events_total{bound="process"}')).toBe(4_950);
    expect(await numberOf('sum(denied) as n from usage_violation_day')).toBe(5_000);
  });

  it('degraded decisions and shadow denials are bounded like other events', async () => {
    const limit = {
      scope: 'USER' as const,
      field: '*',
      charge: 1,
      actual: undefined,
      limit: 1,
      used: 1,
      remaining: 0,
      retryAfterMs: 0,
      wouldDeny: true,
    };
    const limits = Array.from({ length: 30 }, (_, rule) => ({ ...limit, rule: `rule${rule}` }));
    const flood = Array.from({ length: 100 }, () => recordOf({ atMs: START_MS, degraded: true, limits }));
    await recordAll(flood);
    // The bound of one caller: a quarter of the events that a process keeps in ten seconds.
    expect(await numberOf('count(*) as n from events')).toBe(12);
    expect(await numberOf('sum(shadow_denied) as n from usage_rule_day')).toBe(3_000);
    expect(await numberOf('sum(degraded) as n from usage_day')).toBe(100);
  });
});
