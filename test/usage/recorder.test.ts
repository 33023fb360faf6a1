import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UsageRecord } from '../../src/model/usage-record.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import {
  createUsageRecorder,
  type UsageRecorder,
  type UsageRecorderOptions,
} from '../../src/usage/record/create-usage-recorder.js';
import { dropOldUsage } from '../../src/usage/record/drop-old-usage.js';
import { eventsOf } from '../../src/usage/record/usage-event.js';
import { DATABASES, type TestDatabase } from '../postgres/databases.js';
import { recordOf } from './one-record.js';
import { randomRecord } from './random-records.js';
import { expectedSums, storedSums } from './usage-model.js';

describe.each(DATABASES)('the recorder of usage on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    opened = await openDatabase();
    db = opened.db;
    await migrate(db);
  });
  afterAll(() => opened.dispose());
  beforeEach(() => emptyUsage(db));

  it('the recorder does not count a stored operation name as a new name', async () => {
    await db.query(
      `insert into usage_operations (type, name) select 'QUERY', 'Stored' || number from generate_series(1, 100) as number`,
    );
    const asked: Promise<unknown>[] = [];
    const watched: Db = {
      ...db,
      query: (...query) => {
        const answer = db.query(...query);
        asked.push(answer);
        return answer as never;
      },
    };
    const recorder = createUsageRecorder({ db: watched, ...ONLY_BY_HAND, newOperationNamesPerHour: 4 });
    await Promise.all(asked);
    await nextTurn();
    for (let index = 1; index <= 100; index++) {
      recorder.record(recordOf({ operationName: `Stored${index}` }));
      recorder.record(recordOf({ operationName: `New${index}` }));
    }
    await recorder.close();
    const rows = await db.query<{ name: string }>(
      'select distinct name from usage_operation_minute join usage_operations on id = operation_id',
    );
    const names = rows.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('Stored'))).toHaveLength(100);
    expect(names.filter((name) => name.startsWith('New'))).toHaveLength(10);
  });

  it('after the database is restored to a state without some names, usage is still stored under the right names', async () => {
    const backup = async () => {
      await emptyUsage(db);
      await db.query('delete from usage_writers');
      await db.query('delete from usage_subjects');
      await db.query('alter table usage_subjects alter column id restart with 1');
    };
    await backup();
    const store = async (recorder: UsageRecorder, user: string) => {
      recorder.record(recordOf({ subject: { user } }));
      expect(await recorder.flush()).toBe(true);
    };
    const one = createUsageRecorder({ db, ...ONLY_BY_HAND });
    const other = createUsageRecorder({ db, ...ONLY_BY_HAND });
    await store(one, 'ann');
    await backup();
    await store(other, 'bob');
    await store(one, 'ann');
    await store(one, 'ann');
    const rows = await db.query(
      `select name, sum(requests)::int as requests from usage_day join usage_subjects on id = subject_id group by name order by name`,
    );
    expect(rows).toEqual([
      { name: 'ann', requests: 2 },
      { name: 'bob', requests: 1 },
    ]);
    expect(one.numbers().request).toEqual(allStored(3));
  });

  it('the sums by minute, hour and day are exact, even if transactions fail and batches are sent repeatedly', async () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: randomRecord },
      fc.constantFrom('flush' as const, 'lost before' as const, 'lost after' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.constantFrom(undefined, 'eu'), async (steps, region) => {
        await emptyUsage(db);
        const failing = failOnDemand(db);
        const recorder = createUsageRecorder({ db: failing.db, region, ...ONLY_BY_HAND, ...ALL_OF_THEM });
        const records: UsageRecord[] = [];
        for (const one of steps) {
          if (typeof one === 'string') {
            failing.next = one === 'flush' ? undefined : one;
            await recorder.flush();
          } else {
            records.push(one);
            recorder.record(one);
          }
        }
        failing.next = undefined;
        await recorder.close();
        expect(await storedSums(db)).toEqual(expectedSums(records, region));
        const elsewhere = `select 1 from (select region from events union all select region from decisions) as of_all
          where region is distinct from $1::text`;
        expect(await db.query(elsewhere, [region ?? null])).toEqual([]);
        const priced = records.filter(({ operationType }) => operationType !== 'UNPRICED');
        expect(await countRows(db, 'events')).toBe(records.flatMap((one) => eventsOf(one)).length);
        expect(await countRows(db, 'decisions')).toBe(priced.length);
        expect(recorder.numbers()).toEqual({
          request: allStored(records.length),
          event: allStored(records.flatMap((one) => eventsOf(one)).length),
          decision: allStored(priced.length),
        });
      }),
      { numRuns: 15 },
    );
  });

  it('a batch that the database rejects for its content is dropped and counted, and the next batch is stored', async () => {
    const rejections: unknown[] = [];
    const recorder = createUsageRecorder({ db, ...ONLY_BY_HAND, onRejected: (error) => rejections.push(error) });
    const [good, bad] = [oneRecord(Date.now()), { ...oneRecord(Date.now()), tier: '' }];
    recorder.record(bad);
    // The recorder tries the batch once more before it drops it, because the cause may have been a
    // missing partition.
    expect(await recorder.flush()).toBe(false);
    expect(rejections).toHaveLength(0);
    expect(await recorder.flush()).toBe(false);
    expect(rejections).toHaveLength(1);
    recorder.record(good);
    expect(await recorder.flush()).toBe(true);
    await recorder.close();
    expect(recorder.numbers().request).toEqual({ seen: 2, stored: 1, dropped: 1, waiting: 0 });
    expect(await storedSums(db)).toEqual(expectedSums([good]));
  });

  it('the recorder releases a response immediately only if it does not log the decision', async () => {
    const forgotten: string[] = [];
    const recordNamed = (name: string): UsageRecord => recordOf({ forgetResponse: () => forgotten.push(name) });
    const none = createUsageRecorder({ db, ...ONLY_BY_HAND, decisionsPerSecond: 0 });
    none.record(recordNamed('not logged'));
    const all = createUsageRecorder({ db, ...ONLY_BY_HAND, decisionsPerSecond: 1_000_000 });
    all.record(recordNamed('logged'));
    expect(forgotten).toEqual(['not logged']);
    await none.close();
    await all.close();
    expect(await countRows(db, 'decisions')).toBeGreaterThanOrEqual(1);
  });

  it('records are stored without an explicit flush', async () => {
    const recorder = createUsageRecorder({ db, flushMs: 1 });
    for (let i = 0; i < 33; i++) recorder.record(oneRecord(Date.now()));
    await expect.poll(() => recorder.numbers().request).toEqual(allStored(33));
    await recorder.close();
  });

  it('a flush lets requests run between its statements, even with the embedded database', async () => {
    const recorder = createUsageRecorder({ db, ...ONLY_BY_HAND, decisionsPerSecond: 0 });
    for (let caller = 0; caller < 500; caller++) recorder.record(recordOf({ subject: { user: `user${caller}` } }));
    let turns = 0;
    const countTurns = () => {
      turns++;
      immediate = setImmediate(countTurns);
    };
    let immediate = setImmediate(countTurns);
    const isStored = await recorder.flush();
    clearImmediate(immediate);
    await recorder.close();
    expect(isStored).toBe(true);
    // A PostgreSQL server lets requests run while a statement waits for its reply. The embedded
    // database gets at most fifty callers in a statement.
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('decisions have fields while the measuring budget of ten seconds lasts, and always the amounts of the operation', async () => {
    const window = Math.floor(Date.now() / 10_000) * 10_000;
    const measured = vi.fn(() => [
      { coordinate: 'Query.x', estimated: { calls: 1, cost: 2 }, actual: { calls: 1, cost: 1 } },
    ]);
    const of = (atMs: number, steps: number) =>
      recordOf({
        atMs,
        fields: {
          estimated: () => [],
          actual: () => undefined,
          measured,
          measuringSteps: () => steps,
          amounts: () => ({
            estimated: [5, 6, 7].map((total) => ({
              total,
              fields: [{ coordinate: 'Query.x', calls: 1, cost: total }],
            })),
            actual: undefined,
          }),
        },
      });
    const recorder = createUsageRecorder({ db, ...ONLY_BY_HAND, decisionsPerSecond: 1_000_000 });
    for (const [atMs, steps] of [
      [window, 300_000],
      [window + 1, 300_000],
      [window + 2, 200_000],
      [window + 3, 1],
      [window + 4, 0],
      [window + 10_000, 300_000],
    ] as const) {
      recorder.record(of(atMs, steps));
    }
    await recorder.close();
    const rows = await db.query<{ fields: number[]; amounts: number[] }>(
      'select to_json(fields) as fields, to_json(amounts) as amounts from decisions order by at',
    );
    expect(rows.map(({ fields }) => fields.length)).toEqual([5, 0, 5, 0, 5, 5]);
    expect(measured).toHaveBeenCalledTimes(4);
    for (const { fields, amounts } of rows) {
      expect(amounts).toEqual([5, 6, 7, -1, -1, -1, ...(fields.length > 0 ? [0, 5, 6, 7, -1, -1, -1] : [])]);
    }
  });

  it('usage beyond its retention is dropped, with the names that no row refers to', async () => {
    const recorder = createUsageRecorder({ db, ...ONLY_BY_HAND });
    const recent = [oneRecord(Date.now(), 'still-here'), oneRecord(Date.now() - 2 * 86_400_000, 'still-here')];
    for (const record of [oneRecord(Date.parse('2024-01-15T12:00:00Z'), 'long-gone'), ...recent])
      recorder.record(record);
    await recorder.close();
    await db.query(`update usage_subjects set last_seen_on = '2024-01-15' where name = 'long-gone'`);
    await dropOldUsage(db, { minutesDays: 3, hoursDays: 3, daysDays: 3, eventsDays: 3, decisionsDays: 1 });
    expect(await storedSums(db)).toEqual(expectedSums(recent));
    expect(await countRows(db, `usage_subject_week where bucket < '2024-02-01'`)).toBe(0);
    // Only the recent decision remains, because the day of the older one ended more than a day ago.
    expect(await countRows(db, 'decisions')).toBe(1);
    const names = await db.query<{ name: string }>(
      `select name from usage_subjects where name in ('long-gone', 'still-here')`,
    );
    expect(names).toEqual([{ name: 'still-here' }]);
  });
});

function oneRecord(atMs: number, user = 'ann'): UsageRecord {
  return recordOf({ atMs, subject: { user } });
}

const ALL_OF_THEM: Partial<UsageRecorderOptions> = {
  eventsPerSecond: 1_000_000,
  callerEventsPerMinute: 1_000_000,
  decisionsPerSecond: 1_000_000,
};
const ONLY_BY_HAND: Pick<UsageRecorderOptions, 'flushMs'> = { flushMs: 3_600_000 };

function allStored(count: number) {
  return { seen: count, stored: count, dropped: 0, waiting: 0 };
}

async function countRows(db: Db, table: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) as count from ${table}`);
  return row!.count;
}

async function emptyUsage(db: Db): Promise<void> {
  const tables = await db.query<{ parent: string }>('select parent from usage_partitioned');
  for (const { parent } of tables) await db.query(`delete from ${parent}`);
}

/**
 * Wraps the database so that `next` makes the next transaction fail like a broken connection,
 * either before it begins or after its commit.
 */
function failOnDemand(db: Db) {
  const failing = {
    next: undefined as 'lost before' | 'lost after' | undefined,
    db: {
      ...db,
      async tx(run) {
        const { next } = failing;
        failing.next = undefined;
        if (next === 'lost before') throw new Error('the connection broke');
        const result = await db.tx(run);
        if (next === 'lost after') throw new Error('the connection broke');
        return result;
      },
    } satisfies Db as Db,
  };
  return failing;
}
