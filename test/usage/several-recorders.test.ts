import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createUsageRecorder } from '../../src/usage/record/create-usage-recorder.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { NOT_MEASURED, recordOf, sumsOf } from './one-record.js';

let opened: TestDatabase & { url: string };
beforeAll(async () => {
  opened = await openServerDatabase();
  await migrate(opened.db);
});
afterAll(() => opened.dispose());

const RECORDERS = 4;
/** More callers than fit into one statement. */
const CALLERS = 2_500;
const ROUNDS = 3;

it('several instances that store usage of the same callers simultaneously produce exact sums and no deadlock', async () => {
  const instances = await Promise.all(
    Array.from({ length: RECORDERS }, async () => {
      // The recorders wait for each other, for longer than the default deadline on a busy machine.
      const db = await createPgDb({ url: opened.url, maxConnections: 1, statementTimeoutMs: 120_000 });
      return { db, recorder: createUsageRecorder({ db, flushMs: 3_600_000, decisionsPerSecond: 0 }) };
    }),
  );
  const fields = [{ coordinate: 'Query.home', calls: 1, cost: 2 }];
  const sums = sumsOf(fields);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { recorder }] of instances.entries()) {
      for (let step = 0; step < CALLERS; step++) {
        // Half of the recorders use the reverse order, so that they could deadlock. In the same
        // order, they would only wait for each other.
        const caller = index % 2 === 0 ? step : CALLERS - 1 - step;
        // Each recorder has a different operation. With a shared operation, the recorders would
        // wait for its row in the first statement, and could not deadlock in later ones.
        const operationName = `Operation${index}`;
        recorder.record(
          recordOf({
            subject: { user: `user${caller}` },
            operationName,
            fields: { ...NOT_MEASURED, estimated: () => fields, actual: () => sums },
          }),
        );
      }
    }
    await Promise.all(instances.map(({ recorder }) => recorder.flush()));
  }
  const failures = instances.map(({ recorder }) => recorder.failures);
  await Promise.all(instances.map(({ recorder }) => recorder.close()));
  await Promise.all(instances.map(({ db }) => db.close()));
  expect(failures).toEqual(instances.map(() => 0));

  const requests = RECORDERS * CALLERS * ROUNDS;
  for (const table of [
    'usage_minute',
    'usage_hour',
    'usage_day',
    'usage_subject_day',
    'usage_subject_week',
    'usage_operation_day',
  ]) {
    const [sum] = await opened.db.query(
      `select sum(requests)::integer as requests, sum(actual_cost)::integer as cost from ${table}`,
    );
    expect(sum, table).toEqual({ requests, cost: requests });
  }
  const [callers] = await opened.db.query<{ count: number }>('select count(*) as count from usage_subjects');
  expect(callers!.count).toBe(CALLERS);
  const [field] = await opened.db.query('select sum(actual_calls)::integer as calls from usage_field_day');
  expect(field).toEqual({ calls: requests });
});
