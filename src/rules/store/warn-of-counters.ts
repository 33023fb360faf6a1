import type { Rule } from '../../model/rule.js';
import type { Queryable } from '../../postgres/db.js';
import { counterWarnings, type EarlierRule } from '../matching/counter-warnings.js';
import { type RuleRecord, readRulesOfLevel } from './rule-rows.js';

/** Versions that are looked at: who sets a rule back does so soon, or to one that is long over. */
const MOST_VERSIONS = 50;

/** What becomes of the counters of a stored rule that is edited. Others, and what it was, are looked up only where there is something to warn of. */
export async function warningsOfCounters(on: Queryable, before: RuleRecord, next: Rule): Promise<string[]> {
  if (counterWarnings(before, next).length === 0) return [];
  return counterWarnings(before, next, await readRulesOfLevel(on, next), await readEarlier(on, before));
}

/** What the rule was before it became what it is, the latest first, but for when it did not count. */
async function readEarlier(on: Queryable, { id, version }: RuleRecord): Promise<EarlierRule[]> {
  const rows = await on.query<{ after: RuleRecord; agoMs: number }>(
    `select after, (extract(epoch from now() - changed_at) * 1000)::double precision as "agoMs" from changes
     where entity = 'RULE' and entity_key = $1 and (after ->> 'version')::integer <= $2
     order by number desc limit $3`,
    [id, version, MOST_VERSIONS + 1],
  );
  return rows.flatMap(({ after }, index) => {
    const followed = rows[index - 1];
    if (followed === undefined || after.retiredAt || after.mode === 'OFF') return [];
    return [{ rule: after, version: after.version, leftAgoMs: followed.agoMs }];
  });
}
