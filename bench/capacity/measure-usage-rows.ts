import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { startPostgresServer } from '../../test/helpers/servers.js';
import { measureRows } from '../usage-queries/measure-rows.js';
import { A_FEW, seedUsage } from '../usage-queries/seed-usage.js';

const TABLES = {
  minuteRowBytes: 'usage_minute',
  hourRowBytes: 'usage_hour',
  dayRowBytes: 'usage_day',
  callerHourRowBytes: 'usage_subject_hour',
  callerDayRowBytes: 'usage_subject_day',
  callerWeekRowBytes: 'usage_subject_week',
  eventRowBytes: 'events',
};

/** Measures the bytes of a row of each table of usage that grows with the callers, with indexes. */
export async function measureUsageRows(): Promise<Record<keyof typeof TABLES, number>> {
  const server = await startPostgresServer();
  try {
    const db = await createPgDb({ url: server.url, statementTimeoutMs: 600_000 });
    await migrate(db);
    await seedUsage(db, new Date(), A_FEW);
    const sizes = await measureRows(db);
    await db.close();
    const bytesOf = (table: string) => {
      const size = sizes.find((one) => one.table === table);
      if (size === undefined) throw new Error(`the table ${table} has no rows`);
      return size.bytesPerRow;
    };
    return Object.fromEntries(Object.entries(TABLES).map(([name, table]) => [name, bytesOf(table)])) as Record<
      keyof typeof TABLES,
      number
    >;
  } finally {
    await server.stop();
  }
}
