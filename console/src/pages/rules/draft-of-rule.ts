import type {
  LimitFactsFragment,
  RuleCreateInput,
  RuleFactsFragment,
  RuleInFullQuery,
  RuleLimitInput,
} from '../../generated/graphql.js';
import { membersGiven } from '../../parts/form/members-given.js';

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
  const { onUnavailable, precision, onEventDenied, regionMode } = rule;
  return {
    ...membersGiven({ name, description, fields, scope, measure, mode, rolloutPercent, priority }),
    ...membersGiven({ onUnavailable, precision, onEventDenied, regionMode }),
    action: membersGiven(rule.action),
    ...(rule.response && { response: membersGiven(rule.response) }),
    ...membersGiven({ activeFrom: rule.activeFrom, activeUntil: rule.activeUntil }),
    ...(rule.schedule && { schedule: membersGiven(rule.schedule) }),
    match: membersGiven(rule.match),
    limits: rule.limits.map(limitInputOf),
  };
}

/** Returns the field patterns of a draft. Drafts of the form always have a list. */
export function fieldsOf({ field, fields }: RuleCreateInput): readonly string[] {
  return fields ?? (field ? [field] : []);
}

/** Converts a limit of a rule to the input of a mutation. */
export function limitInputOf({ __typename, ...limit }: LimitFactsFragment): RuleLimitInput {
  return { [LIMIT_KEYS[__typename]]: membersGiven(limit) } as RuleLimitInput;
}
