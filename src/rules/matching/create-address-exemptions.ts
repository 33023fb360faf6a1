import ipaddr from 'ipaddr.js';
import type { Measure, Rule } from '../../model/rule.js';
import { createAddressMap } from './create-address-map.js';
import { isTimed } from './period-at.js';

/** A rule that exempts an address from the limits per address of one level. */
interface AddressExemption {
  name: string;
  field: string;
  measure: Measure;
  /** The rule as a policy in YAML. */
  yaml: string;
}

/**
 * Creates a function that returns the exemptions that an address lacks: one for each level of the
 * enforced rules with the scope `IP` that limit it.
 */
export function createAddressExemptions(rules: readonly Rule[]): (address: string) => AddressExemption[] {
  const inForce = rules.filter(({ mode, scope }) => mode === 'ENFORCE' && scope === 'IP');
  const everywhere = inForce.filter(({ match }) => !match.addresses?.length);
  const byBlock = createAddressMap(
    inForce.flatMap((rule) => (rule.match.addresses ?? []).map((block) => [block, rule] as const)),
  );
  return (address) => {
    // An identification of the deployment may return a text that is not an address.
    if (!ipaddr.isValid(address.split('/')[0]!)) return [];
    const matching = [...everywhere, ...byBlock.get(address)];
    const levels = new Map(matching.map((rule) => [`${rule.field} ${rule.measure}`, rule]));
    const exempt = new Set(matching.filter(isForAll).map(({ field, measure }) => `${field} ${measure}`));
    const limited = matching.filter(({ action }) => action.type !== 'EXEMPT');
    return [...levels]
      .filter(([level]) => !exempt.has(level) && limited.some((rule) => `${rule.field} ${rule.measure}` === level))
      .map(([, { field, measure }]) => exemptionOf(address, field, measure));
  };
}

/** Returns whether a rule always exempts all operations of its addresses. */
function isForAll(rule: Rule): boolean {
  const { action, match, rolloutPercent } = rule;
  const { addresses: _addresses, ...conditions } = match;
  if (isTimed(rule)) return false;
  return action.type === 'EXEMPT' && rolloutPercent >= 100 && Object.keys(conditions).length === 0;
}

function exemptionOf(address: string, field: string, measure: Measure): AddressExemption {
  const name = `allow ${address} ${field} ${measure}`.slice(0, 100);
  const yaml = `rules:
  - name: ${JSON.stringify(name)}
    scope: IP
    field: ${JSON.stringify(field)}
    measure: ${measure}
    match: { addresses: [${JSON.stringify(address)}] }
    action: { type: EXEMPT }
`;
  return { name, field, measure, yaml };
}
