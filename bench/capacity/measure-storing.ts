import { createPgDb } from '../../src/postgres/create-pg-db.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createUsageRecorder } from '../../src/usage/record/create-usage-recorder.js';
import { startPostgresServer } from '../../test/helpers/servers.js';
import { NOT_MEASURED, recordOf, sumsOf } from '../../test/usage/one-record.js';
import type { Conditions } from '../frame/bench.js';
import { type PartUse, watchParts } from '../load/watch-parts.js';

/** Number of instances that store usage at the same time, each with its own recorder. */
const INSTANCES = 24;
const CALLERS = 200_000;
const FIELDS = Array.from({ length: 12 }, (_, field) => ({ coordinate: `Type.field${field}`, calls: 10, cost: 12 }));
const ESTIMATED = () => FIELDS;
const ACTUAL = sumsOf(FIELDS);
const LIMITS = Array.from({ length: 6 }, (_, rule) => ({
  rule: `rule-${rule}`,
  scope: 'USER' as const,
  field: '*',
  charge: 1,
  actual: 1,
  limit: 100,
  used: 10,
  remaining: 90,
  retryAfterMs: 0,
  wouldDeny: false,
}));

/** Entries of a small and of a large batch: an entry is a caller with one name of an operation. */
const SMALL = 25;
const LARGE = 500;
/** Entries of a batch that PostgreSQL stores alone, because it needs several statements. */
const ALONE = 4_000;

interface Storing {
  batchesPerSecond: number;
  /** Processor time of PostgreSQL for a batch, in microseconds. */
  postgresUs: number;
}

/**
 * Measures how fast one PostgreSQL stores the usage of many instances. All instances update the same
 * rows of operations, fields and rules, so their batches wait for each other.
 */
export async function measureStoring({ measureMs }: Conditions): Promise<Record<string, number>> {
  const server = await startPostgresServer();
  try {
    const db = await createPgDb({ url: server.url, maxConnections: INSTANCES, statementTimeoutMs: 120_000 });
    await migrate(db);
    await db.query(
      `insert into usage_subjects (tenant_id, kind, name)
       select '', 'USER', 'user-' || n from generate_series(0, $1::integer - 1) n`,
      [CALLERS],
    );
    await db.query('vacuum analyze usage_subjects');
    const pid = server.process.pid!;
    const small = await storeFor(db, pid, { instances: INSTANCES, entries: SMALL, durationMs: 5 * measureMs });
    const large = await storeFor(db, pid, { instances: INSTANCES, entries: LARGE, durationMs: 8 * measureMs });
    const alone = await storeFor(db, pid, { instances: 1, entries: ALONE, durationMs: 8 * measureMs });
    await db.close();
    const usOfEntry = (large.postgresUs - small.postgresUs) / (LARGE - SMALL);
    return {
      postgresUsOfEntry: usOfEntry,
      postgresUsOfBatch: small.postgresUs - SMALL * usOfEntry,
      batchesPerSecond: small.batchesPerSecond,
      entriesPerSecond: large.batchesPerSecond * LARGE,
      entriesPerSecondAlone: alone.batchesPerSecond * ALONE,
    };
  } finally {
    await server.stop();
  }
}

async function storeFor(
  db: Db,
  postgresPid: number,
  { instances, entries, durationMs }: { instances: number; entries: number; durationMs: number },
): Promise<Storing> {
  let caller = 0;
  let stored = 0;
  const recorders = Array.from({ length: instances }, () =>
    createUsageRecorder({ db, flushMs: 3_600_000, decisionsPerSecond: 0, eventsPerSecond: 0 }),
  );
  const storeOne = async (recorder: (typeof recorders)[number]) => {
    for (let entry = 0; entry < entries; entry++) {
      // The factor scatters the callers over the table. So the pages of successive rows differ.
      const user = `user-${(caller++ * 7919) % CALLERS}`;
      recorder.record(
        recordOf({
          subject: { user },
          limits: LIMITS,
          fields: { ...NOT_MEASURED, estimated: ESTIMATED, actual: () => ACTUAL },
        }),
      );
    }
    if (!(await recorder.flush())) throw new Error(`a batch was not stored: ${recorder.failing?.reason}`);
    stored++;
  };
  // The first batch of an instance looks up the names of fields and rules.
  await Promise.all(recorders.map(storeOne));
  stored = 0;
  const watch = watchParts({ postgres: postgresPid });
  const startedMs = performance.now();
  await Promise.all(
    recorders.map(async (recorder) => {
      do await storeOne(recorder);
      while (performance.now() - startedMs < durationMs);
    }),
  );
  const elapsedS = (performance.now() - startedMs) / 1000;
  const [{ cpuPercent }] = watch.stop() as [PartUse];
  await Promise.all(recorders.map((recorder) => recorder.close()));
  return { batchesPerSecond: stored / elapsedS, postgresUs: (cpuPercent * 1e4 * elapsedS) / stored };
}
