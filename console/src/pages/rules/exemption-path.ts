import type { Measure, RuleCreateInput } from '../../generated/graphql.js';
import { rulesText } from '../../text/rules-text.js';

interface Exemption {
  name: string;
  field: string;
  measure: Measure;
}

/** Returns the path of the form for a rule that exempts an address from rules per address. */
export function exemptionPath(address: string, { name, field, measure }: Exemption): string {
  return `/rule-form?${new URLSearchParams({ exempt: address, as: name, field, measure })}`;
}

/** Returns the draft of the rule that a URL of `exemptionPath` describes. Undefined for another URL. */
export function exemptionIn(search: URLSearchParams): RuleCreateInput | undefined {
  const [address, name, field, measure] = ['exempt', 'as', 'field', 'measure'].map((key) => search.get(key));
  if (!address || !name || !field || !measure || !Object.hasOwn(rulesText.measures, measure)) return undefined;
  return {
    name,
    ...(field.includes(', ') ? { fields: field.split(', ') } : { field }),
    scope: 'IP',
    measure: measure as Measure,
    mode: 'ENFORCE',
    rolloutPercent: 100,
    priority: 100,
    match: { addresses: [address] },
    action: { type: 'EXEMPT' },
    limits: [],
  };
}
