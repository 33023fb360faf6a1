import type { ProtectionLimiter } from '../limiter/create-limiter.js';
import type { RegionPart } from '../model/limit-parameters.js';
import type { Rule } from '../model/rule.js';
import { prepareRule } from '../rules/matching/prepare-rule.js';
import { idleCharge } from './charge-binder.js';

/**
 * Returns a function that returns the parts of the limits of a rule that the region of this process
 * enforces now, in the order of the limits. A part is undefined unless the limit is split between
 * regions.
 */
export function regionPartsOf({ regionPart }: Pick<ProtectionLimiter, 'regionPart'>) {
  return (rule: Rule): readonly (RegionPart | undefined)[] =>
    prepareRule(rule).limits.map((limit) => regionPart(idleCharge(limit)));
}
