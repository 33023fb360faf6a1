import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ADVISORY_LOCKS } from '../../src/postgres/advisory-locks.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createUsageRecorder } from '../../src/usage/record/create-usage-recorder.js';
import { recordOf } from '../usage/one-record.js';
import { openServerDatabase } from './databases.js';

it('each advisory lock has a different number', () => {
  const folder = new URL('../../migrations/', import.meta.url);
  const inMigrations = readdirSync(folder)
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .flatMap((text) => [...text.matchAll(/pg_advisory_xact_lock\((\d+), (\d+)\)/g)])
    .map(([, first, second]) => `${first}, ${second}`);
  expect(inMigrations.length).toBeGreaterThan(0);
  const all = [...Object.values(ADVISORY_LOCKS), ...new Set(inMigrations)];
  expect(new Set(all).size).toBe(all.length);
});

it('usage is stored while a transaction that writes tiers and rules holds its lock', async () => {
  const opened = await openServerDatabase();
  await migrate(opened.db);
  const own = await createPgDb({ url: opened.url, maxConnections: 1 });
  const recorder = createUsageRecorder({ db: own, flushMs: 3_600_000, decisionsPerSecond: 0 });
  await opened.db.tx(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.policy})`);
    recorder.record(recordOf({}));
    // If usage used the lock of tiers and rules, `flush` would wait for this transaction forever.
    await recorder.flush();
  });
  expect(recorder.numbers().request).toMatchObject({ stored: 1, dropped: 0 });
  await recorder.close();
  await own.close();
  await opened.dispose();
});
