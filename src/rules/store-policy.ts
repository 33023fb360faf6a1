import type { Db } from '../store/db.js';
import { type RuleRecord, readRules } from './store-rule-rows.js';
import { attributesOf } from './store-rules.js';
import { readTiers, type TierRecord } from './store-tier-rows.js';
import { parsePolicy } from './validate.js';

/** All tiers and rules in use, as they stood together at one moment. */
export interface StoredPolicy {
  /** The number of the latest change that is part of it. */
  version: number;
  tiers: TierRecord[];
  rules: RuleRecord[];
  /** What must keep it from being put in force; empty when it is sound. Somebody wrote into the tables, then. */
  problems: string[];
}

/** Reads the whole policy in one snapshot, and checks it as a policy given in code is checked. */
export async function readPolicy(db: Db): Promise<StoredPolicy> {
  const stored = await db.tx(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const [row] = await tx.query<{ version: number }>('select coalesce(max(number), 0) as version from changes');
    return { version: row!.version, tiers: await readTiers(tx), rules: await readRules(tx) };
  });
  const tiers = stored.tiers.map(({ version: _v, createdAt: _c, updatedAt: _u, retiredAt: _r, ...tier }) => tier);
  const rules = stored.rules.map((rule) => ({ ...attributesOf(rule), id: rule.id }));
  return { ...stored, problems: parsePolicy({ tiers, rules }).problems ?? [] };
}
