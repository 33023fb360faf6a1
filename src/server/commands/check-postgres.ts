import { describeRefusal } from '../../postgres/describe-refusal.js';
import { migrationStatus } from '../../postgres/migrate.js';
import { createPgDb } from '../../postgres/pg-db.js';
import { type Finding, finding, judgeClock } from './finding.js';

const OLDEST_MAJOR = 14;

/** Looks at the PostgreSQL of a URL, and writes nothing. Never rejects. */
export async function checkPostgres(url: string): Promise<Finding[]> {
  const { hostname, port, pathname } = new URL(url);
  const place = `${hostname}:${port || 5432}${pathname}`;
  const db = await createPgDb({ url, maxConnections: 1, connectTimeoutMs: 3000, statementTimeoutMs: 5000 });
  try {
    const askedMs = Date.now();
    const [row] = await db.query<{ version: string; now: Date; is_standby: boolean }>(
      `select current_setting('server_version') as version, clock_timestamp() as now, pg_is_in_recovery() as is_standby`,
    );
    const answeredMs = Date.now();
    const { version, now, is_standby: isStandby } = row!;
    const isOld = Number.parseInt(version, 10) < OLDEST_MAJOR;
    return [
      isStandby
        ? finding('FAILURE', 'PostgreSQL', `answers at ${place}, but it is a standby: nothing can be written to it`)
        : finding('OK', 'PostgreSQL', `answers at ${place}`),
      isOld
        ? finding('FAILURE', 'PostgreSQL version', `${version}: expected ${OLDEST_MAJOR} or later`)
        : finding('OK', 'PostgreSQL version', version),
      judgeClock('PostgreSQL clock', now.getTime(), askedMs, answeredMs),
      judgeTables(await migrationStatus(db)),
    ];
  } catch (error) {
    return [
      finding('FAILURE', 'PostgreSQL', `cannot be used at ${place}: ${describeRefusal(error) ?? reasonOf(error)}`),
    ];
  } finally {
    await db.close();
  }
}

function judgeTables({ applied, pending, problem }: Awaited<ReturnType<typeof migrationStatus>>): Finding {
  const subject = 'PostgreSQL tables';
  if (problem !== null) return finding('FAILURE', subject, problem);
  if (pending.length === 0) return finding('OK', subject, `up to date, ${applied.length} migrations`);
  return finding(
    'WARNING',
    subject,
    `pending: ${pending.join(', ')}; the next start or "tollgate migrate up" applies them`,
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
