import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadPromClient } from '../../../src/observability/metrics/load-prom-client.js';
import { showUsage } from '../../../src/observability/metrics/show-usage.js';
import type { Db } from '../../../src/postgres/db.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { createUsageRecorder } from '../../../src/usage/record/create-usage-recorder.js';
import { type Samples, scrape } from '../../helpers/samples.js';
import { openServerDatabase, type TestDatabase } from '../../postgres/databases.js';
import { recordOf } from '../../usage/one-record.js';

beforeAll(loadPromClient);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openServerDatabase();
  await migrate(opened.db);
});
afterAll(() => opened.dispose());

const numbersOf = (samples: Samples, kind: string) =>
  ['seen_total', 'stored_total', 'dropped_total', 'waiting'].map((name) =>
    samples.get(`tollgate_usage_${name}{kind="${kind}"}`),
  );

it('the metrics count recorded usage as seen, stored, dropped and waiting, and count failed attempts', async () => {
  const registry = new Registry();
  let isAway = false;
  const db: Db = {
    ...opened.db,
    tx: (run, options) => (isAway ? Promise.reject(new Error('away')) : opened.db.tx(run, options)),
  };
  const recorder = createUsageRecorder({ db, flushMs: 3_600_000, maxEvents: 5, maxDecisions: 8 });
  showUsage(registry, recorder);

  for (let i = 0; i < 10; i++) recorder.record(recordOf({ denial: 'THROTTLED', deniedBy: 'tier:free' }));
  isAway = true;
  await recorder.flush();
  const waiting = await scrape(registry);
  expect(numbersOf(waiting, 'request')).toEqual([10, 0, 0, 10]);
  // The recorder has room for five events and eight decisions.
  expect(numbersOf(waiting, 'event')).toEqual([10, 0, 5, 5]);
  expect(numbersOf(waiting, 'decision')).toEqual([10, 0, 2, 8]);
  expect(waiting.get('tollgate_usage_failures_total{kind="batch"}')).toBe(1);

  isAway = false;
  await recorder.flush();
  const stored = await scrape(registry);
  expect(numbersOf(stored, 'request')).toEqual([10, 10, 0, 0]);
  expect(numbersOf(stored, 'event')).toEqual([10, 5, 5, 0]);
  expect(numbersOf(stored, 'decision')).toEqual([10, 8, 2, 0]);
  await recorder.close();
});
