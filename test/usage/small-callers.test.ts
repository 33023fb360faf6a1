import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UsageRecord } from '../../src/model/usage-record.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createUsageRecorder } from '../../src/usage/record/create-usage-recorder.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { recordOf } from './one-record.js';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openServerDatabase();
  await migrate(opened.db);
});
afterAll(() => opened.dispose());

const AT_MS = Date.UTC(2026, 2, 1, 12, 0, 30);

async function requestsOf(sql: string): Promise<Record<string, number>> {
  const rows = await opened.db.query<{ name: string; requests: number }>(sql);
  return Object.fromEntries(rows.map(({ name, requests }) => [name, requests]));
}

it('callers with few operations in a flush are counted together, and all sums of operations stay exact', async () => {
  const recorder = createUsageRecorder({ db: opened.db, flushMs: 3_600_000, minCallerOperations: 3 });
  const record = (user: string, differs: Partial<UsageRecord> = {}) =>
    recorder.record(recordOf({ atMs: AT_MS, subject: { user }, ...differs }));
  // A caller is counted over all names of operations, and over all minutes of the flush.
  record('often');
  record('often', { operationName: 'List' });
  record('often', { atMs: AT_MS + 60_000 });
  record('seldom');
  record('seldom', { operationName: 'List' });
  record('once');
  record('denied', { denial: 'THROTTLED', deniedBy: 'tier', actualCost: undefined });
  await recorder.flush();

  expect(
    await requestsOf(
      `select kind || ' ' || name as name, sum(requests)::int as requests
       from usage_day join usage_subjects on id = subject_id group by 1`,
    ),
  ).toEqual({ 'USER often': 3, 'USER denied': 1, 'OTHER ': 3 });
  expect(
    await requestsOf(
      `select o.name, sum(requests)::int as requests
       from usage_operation_day join usage_operations o on id = operation_id group by 1`,
    ),
  ).toEqual({ Home: 5, List: 2 });

  // The next flush counts again from zero.
  for (let i = 0; i < 3; i++) record('seldom');
  await recorder.close();
  expect(
    await requestsOf(
      `select name, sum(requests)::int as requests
       from usage_day join usage_subjects on id = subject_id where name = 'seldom' group by 1`,
    ),
  ).toEqual({ seldom: 3 });
});
