import type { Db, Queryable } from '../store/db.js';
import type { StoredRules } from './live-ruleset.js';
import { readRules } from './store/rule-rows.js';
import { attributesOf } from './store/rules.js';
import { readTiers, type TierRecord } from './store/tier-rows.js';

/** The tables that make a ruleset. */
const TABLES = ['tiers', 'rules', 'rule_tiers', 'rule_limits'];

/** Tiers and rules as they stood together at one moment, unchecked. */
export function readStoredRules(db: Db): Promise<StoredRules> {
  return db.tx(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const number = await readRulesNumber(tx);
    const fingerprint = await readFingerprint(tx);
    const tiers = await readTiers(tx);
    const rules = await readRules(tx);
    return {
      number,
      fingerprint,
      tiers: tiers.map(toTierInput),
      rules: rules.map((rule) => ({ ...attributesOf(rule), id: rule.id })),
    };
  });
}

async function readRulesNumber(on: Queryable): Promise<number> {
  const [row] = await on.query<{ number: number }>(
    `select number from changes where entity in ('TIER', 'RULE') order by number desc limit 1`,
  );
  return row?.number ?? 0;
}

/** Differs after every write to the tables, whoever made it: each row carries the transaction that wrote it. */
export async function readFingerprint(on: Queryable): Promise<string> {
  const parts = TABLES.map((table) => `(select count(*) || '/' || coalesce(sum(xmin::text::bigint), 0) from ${table})`);
  const [row] = await on.query<{ fingerprint: string }>(`select ${parts.join(` || ' ' || `)} as fingerprint`);
  return row!.fingerprint;
}

/** When its first migration was applied: two databases never share that microsecond, and a restored one keeps it. */
export async function readDatabaseId(on: Queryable): Promise<string> {
  const [row] = await on.query<{ id: string }>(
    `select (extract(epoch from applied_at) * 1000000)::bigint::text as id from schema_migrations where number = 1`,
  );
  return row!.id;
}

/** As `parsePolicy` takes it: what is for people and for the record is left out. */
function toTierInput(tier: TierRecord): object {
  const { name, displayName, capacity, refillAmount, refillPeriodMs, maxCostPerOperation, isDefault } = tier;
  return { name, displayName, capacity, refillAmount, refillPeriodMs, maxCostPerOperation, isDefault };
}
