import type { Db } from '../store/db.js';
import type { StoredRules } from './live-ruleset.js';
import type { RulesStore } from './store.js';

/** The tables that make a ruleset. */
const TABLES = ['tiers'];

/** Tiers and rules of one state: what is changed while they are read is read again. */
export async function readStoredRules(db: Db, store: RulesStore): Promise<StoredRules> {
  for (let attempt = 0; ; attempt++) {
    const [number, fingerprint] = [await readRulesNumber(db), await readFingerprint(db)];
    const tiers = await store.listTiers();
    const rules: unknown[] = [];
    if (attempt >= 4 || (await readRulesNumber(db)) === number) {
      return { number, fingerprint, tiers: tiers.map(toTierInput), rules };
    }
  }
}

async function readRulesNumber(db: Db): Promise<number> {
  const [row] = await db.query<{ number: number }>(
    `select number from changes where entity in ('TIER', 'RULE') order by number desc limit 1`,
  );
  return row?.number ?? 0;
}

/** Differs after every write to the tables, whoever made it: each row carries the transaction that wrote it. */
export async function readFingerprint(db: Db): Promise<string> {
  const parts = TABLES.map((table) => `(select count(*) || '/' || coalesce(sum(xmin::text::bigint), 0) from ${table})`);
  const [row] = await db.query<{ fingerprint: string }>(`select ${parts.join(` || ' ' || `)} as fingerprint`);
  return row!.fingerprint;
}

/** When its first migration was applied: two databases never share that microsecond, and a restored one keeps it. */
export async function readDatabaseId(db: Db): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `select (extract(epoch from applied_at) * 1000000)::bigint::text as id from schema_migrations where number = 1`,
  );
  return row!.id;
}

/** As `parsePolicy` takes it: what is for people and for the record is left out. */
function toTierInput(tier: Awaited<ReturnType<RulesStore['listTiers']>>[number]): object {
  const { name, displayName, capacity, refillAmount, refillPeriodMs, maxCostPerOperation, isDefault } = tier;
  return { name, displayName, capacity, refillAmount, refillPeriodMs, maxCostPerOperation, isDefault };
}
