import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Measure, Rule } from '../../model/rule.js';
import { fieldTextOf, patternsIn } from '../policy/field-pattern.js';
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
  // A rule for anonymous callers does not limit the users of a shared address.
  const inForce = rules.filter(
    ({ mode, scope, match }) => mode === 'ENFORCE' && scope === 'IP' && match.callers !== 'ANONYMOUS',
  );
  const everywhere = inForce.filter(({ match }) => !match.addresses?.length);
  const byBlock = createAddressMap(
    inForce.flatMap((rule) => (rule.match.addresses ?? []).map((block) => [block, rule] as const)),
  );
  return (address) => {
    // `identify` may return a text that is not an address.
    if (!ipaddr.isValid(address.split('/')[0]!)) return [];
    const matching = [...everywhere, ...byBlock.get(address)];
    const levels = new Map(matching.map((rule) => [levelOf(rule), rule]));
    const exempt = new Set(matching.filter(isForAll).map(levelOf));
    const limited = matching.filter(({ action }) => action.type !== 'EXEMPT');
    return [...levels]
      .filter(([level]) => !exempt.has(level) && limited.some((rule) => levelOf(rule) === level))
      .map(([, rule]) => exemptionOf(address, fieldTextOf(rule), rule.measure));
  };
}

function levelOf(rule: Rule): string {
  return `${fieldTextOf(rule)} ${rule.measure}`;
}

/** Returns whether a rule always exempts all operations of its addresses. */
function isForAll(rule: Rule): boolean {
  const { action, match, rolloutPercent } = rule;
  const { addresses: _addresses, ...conditions } = match;
  if (isTimed(rule)) return false;
  return action.type === 'EXEMPT' && rolloutPercent >= 100 && Object.keys(conditions).length === 0;
}

/** Returns a name of at most 100 characters. Different texts have different names, even if they are cut. */
function nameOf(text: string): string {
  if (text.length <= MAX_NAME) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `${text.slice(0, MAX_NAME - hash.length - 1)} ${hash}`;
}

const MAX_NAME = 100;

function exemptionOf(address: string, field: string, measure: Measure): AddressExemption {
  const name = nameOf(`allow ${address} ${field} ${measure}`);
  const patterns = patternsIn(field);
  const counted = patterns.length > 1 ? `fields: ${JSON.stringify(patterns)}` : `field: ${JSON.stringify(field)}`;
  const yaml = `rules:
  - name: ${JSON.stringify(name)}
    scope: IP
    ${counted}
    measure: ${measure}
    match: { addresses: [${JSON.stringify(address)}] }
    action: { type: EXEMPT }
`;
  return { name, field, measure, yaml };
}
