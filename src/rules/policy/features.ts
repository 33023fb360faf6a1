import type { KeyBudget } from '../../model/limit-parameters.js';
import type { Rule, Tier } from '../../model/rule.js';

/**
 * Features that a version must know to apply a rule, a tier or an API key, by name. A stored rule
 * lists its features, so that an older version, which does not read the members of newer ones,
 * notices them. A new member of rules or tiers needs an entry here, unless older versions may ignore
 * it. Never rename or remove an entry.
 */
const OF_RULES: Readonly<Record<string, (rule: Omit<Rule, 'id'>) => boolean>> = {
  CALENDAR_WINDOW: ({ limits }) => limits.some(({ algorithm }) => algorithm === 'CALENDAR_WINDOW'),
  maxWaitMs: ({ limits }) => limits.some(({ maxWaitMs }) => maxWaitMs !== undefined),
  maxQueue: ({ limits }) => limits.some(({ maxQueue }) => maxQueue !== undefined),
  perConnection: ({ limits }) => limits.some(({ perConnection }) => perConnection),
  SUBSCRIPTIONS: ({ measure }) => measure === 'SUBSCRIPTIONS',
  CONNECTIONS: ({ measure }) => measure === 'CONNECTIONS',
  onEventDenied: ({ onEventDenied }) => onEventDenied !== 'COMPLETE',
  // An older version would enforce the whole limit in each region.
  'regionMode.SPLIT': ({ regionMode }) => regionMode === 'SPLIT',
  'regionMode.WATCH': ({ regionMode }) => regionMode === 'WATCH',
  USER_AND_IP: ({ scope }) => scope === 'USER_AND_IP',
  fields: ({ fields }) => fields !== undefined,
  'match.callers': ({ match }) => match.callers !== undefined,
  'match.credentials': ({ match }) => match.credentials !== undefined,
  'match.users': ({ match }) => match.users !== undefined,
  'match.tenants': ({ match }) => match.tenants !== undefined,
  'match.keys': ({ match }) => match.keys !== undefined,
  'match.agents': ({ match }) => match.agents !== undefined,
  'match.document': ({ match }) => match.document !== undefined,
  'match.apps': ({ match }) => match.apps !== undefined,
  'match.appVersions': ({ match }) => match.appVersions !== undefined,
  schedule: ({ schedule }) => schedule !== undefined,
  activeFrom: ({ activeFrom }) => activeFrom !== undefined,
  activeUntil: ({ activeUntil }) => activeUntil !== undefined,
};
const OF_TIERS: Readonly<Record<string, (tier: Pick<Tier, 'budget' | 'capacity'>) => boolean>> = {
  budget: ({ budget }) => budget !== null,
  noBucket: ({ capacity }) => capacity === null,
};

const OF_KEYS: Readonly<Record<string, (budget: KeyBudget | null) => boolean>> = {
  'key.calendar': (budget) => budget !== null && 'calendar' in budget,
};

/** Names of all features that this version knows. */
export const FEATURES: readonly string[] = [OF_RULES, OF_TIERS, OF_KEYS].flatMap((features) => Object.keys(features));

/** Returns the features that the budget of an API key uses. */
export function featuresOfKey(budget: KeyBudget | null): string[] {
  return Object.keys(OF_KEYS).filter((name) => OF_KEYS[name]!(budget));
}

/** Returns the features that a rule uses. */
export function featuresOfRule(rule: Omit<Rule, 'id'>): string[] {
  return Object.keys(OF_RULES).filter((name) => OF_RULES[name]!(rule));
}

/** Returns the features that a tier uses. */
export function featuresOfTier(tier: Pick<Tier, 'budget' | 'capacity'>): string[] {
  return Object.keys(OF_TIERS).filter((name) => OF_TIERS[name]!(tier));
}
