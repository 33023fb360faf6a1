import type {
  LimitFactsFragment,
  RuleCreateInput,
  RuleFactsFragment,
  RuleInFullQuery,
  RuleLimitInput,
} from '../../generated/graphql.js';

export type FullRule = NonNullable<RuleInFullQuery['rule']>;

const LIMIT_KEYS: Record<LimitFactsFragment['__typename'], keyof RuleLimitInput> = {
  CalendarWindowLimit: 'calendarWindow',
  ConcurrencyLimit: 'concurrency',
  FixedWindowLimit: 'fixedWindow',
  LeakyBucketLimit: 'leakyBucket',
  SlidingWindowCounterLimit: 'slidingWindowCounter',
  SlidingWindowLogLimit: 'slidingWindowLog',
  TokenBucketLimit: 'tokenBucket',
};

/** Converts a rule to the input of a mutation. */
export function draftOfRule(rule: RuleFactsFragment): RuleCreateInput {
  const { name, description, fields, scope, measure, mode, rolloutPercent, priority } = rule;
  const { onUnavailable, precision, onEventDenied } = rule;
  return {
    ...set({ name, description, fields, scope, measure, mode, rolloutPercent, priority }),
    ...set({ onUnavailable, precision, onEventDenied }),
    action: set(rule.action),
    ...(rule.response && { response: set(rule.response) }),
    ...set({ activeFrom: rule.activeFrom, activeUntil: rule.activeUntil }),
    ...(rule.schedule && { schedule: set(rule.schedule) }),
    match: set(rule.match),
    limits: rule.limits.map(limitInputOf),
  };
}

/** Returns the field patterns of a draft. Drafts of the form always have a list. */
export function fieldsOf({ field, fields }: RuleCreateInput): readonly string[] {
  return fields ?? (field ? [field] : []);
}

/** Converts a limit of a rule to the input of a mutation. */
export function limitInputOf({ __typename, ...limit }: LimitFactsFragment): RuleLimitInput {
  return { [LIMIT_KEYS[__typename]]: set(limit) } as RuleLimitInput;
}

/** Removes members that are null. In an input, null would clear a member. */
function set<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)) as Value;
}
