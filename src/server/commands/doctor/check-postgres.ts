import type { Db } from '../../../postgres/db.js';
import { migrationStatus } from '../../../postgres/migrate.js';
import { placeOfPostgres } from '../../../postgres/place-of-postgres.js';
import { openPostgres, whyUnusable } from '../../../postgres/with-postgres.js';
import { findRuleWarnings } from '../../../rules/matching/find-rule-warnings.js';
import { createKnownFields } from '../../../rules/matching/known-fields.js';
import { readPublishedApps } from '../../../rules/store/read-published-apps.js';
import { createRulesStore } from '../../../rules/store/rules-store.js';
import { describeOlder, readOlderInstances } from '../../../rules/store/warnings-of-instances.js';
import { readSchemas } from '../../../services/read-schemas.js';
import { type Finding, finding, judgeClock } from './finding.js';

const OLDEST_MAJOR = 14;

/** Checks the PostgreSQL of a URL without writing to it. Rejects only if `pg` is not installed. */
export async function checkPostgres(url: string): Promise<Finding[]> {
  const place = placeOfPostgres(url);
  const db = await openPostgres({ url, maxConnections: 1, connectTimeoutMs: 10_000, statementTimeoutMs: 10_000 });
  try {
    const askedMs = Date.now();
    const [row] = await db.query<{ version: string; now: Date; is_standby: boolean }>(
      `select current_setting('server_version') as version, clock_timestamp() as now, pg_is_in_recovery() as is_standby`,
    );
    const answeredMs = Date.now();
    const { version, now, is_standby: isStandby } = row!;
    const isOld = Number.parseInt(version, 10) < OLDEST_MAJOR;
    const tables = judgeTables(await migrationStatus(db));
    return [
      isStandby
        ? finding('FAILURE', 'PostgreSQL', `answers at ${place}, but it is a standby and accepts no writes`)
        : finding('OK', 'PostgreSQL', `answers at ${place}`),
      isOld
        ? finding('FAILURE', 'PostgreSQL version', `${version}: expected ${OLDEST_MAJOR} or later`)
        : finding('OK', 'PostgreSQL version', version),
      judgeClock('PostgreSQL clock', now.getTime(), askedMs, answeredMs),
      tables,
      ...(tables.level === 'OK' ? [...(await judgeRules(db)), ...(await judgeInstances(db))] : []),
    ];
  } catch (error) {
    return [finding('FAILURE', 'PostgreSQL', `cannot connect to ${place}: ${whyUnusable(error)}`)];
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

/**
 * Finds rules that have no effect, and a default tier without a bucket. This check does not know
 * the rules in the code of protected servers. Those servers log such rules themselves.
 */
async function judgeRules(db: Db): Promise<Finding[]> {
  const store = createRulesStore(db);
  const [rules, tiers, schemas] = [await store.listRules(), await store.listTiers(), await readSchemas(db)];
  const known = { fields: createKnownFields(schemas), apps: await readPublishedApps(db) };
  const warnings = findRuleWarnings({ rules, among: rules, tiers, ...known });
  const unlimited = tiers.find(({ isDefault, capacity }) => isDefault && capacity === null);
  const ofTiers = unlimited
    ? [
        finding(
          'WARNING',
          'tiers',
          `callers without an assigned tier have no bucket, because the default tier ${unlimited.name} has none`,
        ),
      ]
    : [];
  if (warnings.length > 0) return [...ofTiers, ...warnings.map(({ message }) => finding('WARNING', 'rules', message))];
  const compared =
    schemas.length === 0 ? 'no server has published a schema with which to compare their fields' : 'all fields exist';
  return [
    ...ofTiers,
    finding('OK', 'rules', rules.length === 0 ? 'none are stored' : `${rules.length} stored, ${compared}`),
  ];
}

/** Finds running processes of older versions that cannot apply some of the stored rules and tiers. */
async function judgeInstances(db: Db): Promise<Finding[]> {
  const rows = await db.query<{ name: string }>(
    `select distinct unnest(needs) as name from (
       select needs from rules where retired_at is null and mode <> 'OFF'
       union all select needs from tiers where retired_at is null
     ) as used order by name`,
  );
  const features = rows.map(({ name }) => name);
  const older = describeOlder(await readOlderInstances(db, features), features, EFFECT);
  if (older.length > 0) return older.map((message) => finding('WARNING', 'instances', message));
  return [finding('OK', 'instances', 'the running ones know all features of the stored rules and tiers')];
}

const EFFECT = 'deny the operations that rules and tiers with these features apply to';
