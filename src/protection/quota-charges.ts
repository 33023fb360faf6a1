import type { Tier } from '../model/rule.js';
import { hasScope } from '../model/subject.js';
import type { BoundLimit, RequestFacts, Ruleset } from '../rules/matching/ruleset.js';
import { type BoundCharges, idleCharge } from './charge-binder.js';

/**
 * Returns the caller's quota: every limit that may apply to any operation of the caller, with a
 * registered document or another one. All charges have cost 0.
 */
export function quotaCharges(
  ruleset: Ruleset,
  tier: Tier,
  request: RequestFacts,
): Pick<BoundCharges, 'limits' | 'charges'> {
  const bound = ruleset.bindAll(tier);
  const limits = new Map<BoundLimit | string, BoundLimit>();
  for (const document of [undefined, ANY_DOCUMENT]) {
    for (const limit of bound.select({ ...request, document })) {
      const key = limit.rule === undefined ? limit.ruleName : limit;
      // The counters of single connections are not those of a caller.
      if (limit.parameters.perConnection || limits.has(key)) continue;
      if (hasScope(request.subject, limit.scope)) limits.set(key, limit);
    }
  }
  return { limits: [...limits.values()], charges: [...limits.values()].map(idleCharge) };
}

/** Stands for any registered document, for rules that do not name an app or a version. */
const ANY_DOCUMENT = { app: '', version: '' };
