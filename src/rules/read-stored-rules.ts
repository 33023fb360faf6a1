import type { Db, Queryable } from '../store/db.js';
import { type RuleRecord, readRules, readRulesById } from './store/rule-rows.js';
import { attributesOf } from './store/rules.js';
import { readTiers, type TierRecord } from './store/tier-rows.js';
import type { ChangedRules, StoredRules } from './stored-rules.js';

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
      rules: rules.map(toRuleInput),
    };
  });
}

/** From here on it is quicker to read everything. */
const MAX_CHANGED = 500;

/**
 * What was changed after change `since`, as it stands at one later moment; undefined: too much of it. One moment, so that
 * no part of a change is in force without the rest.
 */
export function readChangedRules(db: Db, since: number): Promise<ChangedRules | undefined> {
  return db.tx(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const changes = await tx.query<{ number: number; entity: string; key: string }>(
      `select number, entity, entity_key as key from changes
       where number > $1 and entity in ('TIER', 'RULE') order by number limit ${MAX_CHANGED + 1}`,
      [since],
    );
    if (changes.length > MAX_CHANGED) return undefined;
    const written = [...new Set(changes.filter(({ entity }) => entity === 'RULE').map(({ key }) => key))];
    const rules = written.length > 0 ? await readRulesById(tx, written) : [];
    return {
      number: changes.at(-1)?.number ?? since,
      tiers: (await readTiers(tx)).map(toTierInput),
      written,
      rules: rules.filter(({ retiredAt }) => retiredAt === null).map(toRuleInput),
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

function toRuleInput(rule: RuleRecord): object {
  return { ...attributesOf(rule), id: rule.id };
}

/** As `parsePolicy` takes it: what is for people and for the record is left out. */
function toTierInput(tier: TierRecord): object {
  const { name, displayName, capacity, refillAmount, refillPeriodMs, maxCostPerOperation, isDefault } = tier;
  return { name, displayName, capacity, refillAmount, refillPeriodMs, maxCostPerOperation, isDefault };
}
