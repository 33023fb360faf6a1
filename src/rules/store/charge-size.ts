import type { Queryable } from '../../store/db.js';
import { patternsMeeting, type RuleSize, sizeOf, tooManyLimits } from '../charge-size.js';
import type { UserError } from './outcome.js';
import type { RuleAttributes } from './rule-rows.js';
import { readTierNames } from './tier-rows.js';

/** Why a rule cannot stand beside the others in use: with it, some field would be under more limits than can be charged. */
export async function checkChargeSize(on: Queryable, rule: RuleAttributes, exceptId?: string): Promise<UserError[]> {
  if (rule.mode !== 'ENFORCE') return [];
  const others = await on.query<RuleSize>(
    `select r.mode, r.scope, r.field, r.measure,
       array(select t.tier from rule_tiers t where t.rule_id = r.id) as tiers,
       (select count(*)::integer from rule_limits l where l.rule_id = r.id) as "limitCount"
     from rules r
     where r.retired_at is null and r.mode = 'ENFORCE' and r.id is distinct from $1::bigint
       and ($2::text[] is null or r.field = any($2))`,
    [exceptId ?? null, patternsMeeting(rule.field) ?? null],
  );
  const tiers = [...(await readTierNames(on))].map((name) => ({ name }));
  const problem = tooManyLimits(tiers, [...others, sizeOf(rule)]);
  return problem === undefined ? [] : [{ code: 'INVALID', field: ['limits'], message: problem }];
}
