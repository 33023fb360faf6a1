import type { Tollgate } from '../create-tollgate.js';
import { countedAddress } from '../identity/address.js';
import type { Subject } from '../model/subject.js';
import type { AdminSources } from './admin-sources.js';

/** What of a Tollgate is administered. */
export type AdministeredTollgate = Pick<
  Tollgate,
  'administration' | 'analyzer' | 'health' | 'preview' | 'problems' | 'quota' | 'resetQuota' | 'simulateRule'
>;

/**
 * The administration of a Tollgate, of whatever schema it protects.
 * @throws TypeError for one without `postgres`: what was given in code cannot be administered
 */
export function sourcesOf(tollgate: AdministeredTollgate): AdminSources {
  const { administration, simulateRule, analyzer, preview } = tollgate;
  if (!administration || !simulateRule) {
    throw new TypeError(
      'tollgate: expected one made with `postgres`, as tiers and rules in code cannot be administered',
    );
  }
  return {
    ...administration,
    simulateRule,
    fieldPriceOf: (coordinate) => analyzer.fieldPrice(coordinate),
    quotaOf: (subject) => tollgate.quota(asCounted(subject)),
    resetQuota: (subject) => tollgate.resetQuota(asCounted(subject)),
    previewOf: (operation) => preview.previewOf({ ...operation, as: asCounted(operation.as) }),
    explainOf: preview.explainOf,
    healthOf: () => ({ problems: tollgate.problems(), rulesetVersion: tollgate.health()?.version ?? null }),
  };
}

/** Administrators write an address as it is; requests are counted under the form that it has there. */
function asCounted(subject: Subject): Subject {
  const ip = countedAddress(subject.ip);
  return ip === undefined ? subject : { ...subject, ip };
}
