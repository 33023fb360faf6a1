import { type BucketParameters, type KeyBudget, MAX_COST } from '../../model/limit-parameters.js';
import { bucketOf, type Measure, type Rule, type RuleLimit, type Tier } from '../../model/rule.js';
import type { Scope } from '../../model/subject.js';
import { type FieldPattern, fieldTextOf, parseFieldPattern, parseFieldText } from '../policy/field-pattern.js';
import { type CallerClasses, classesOf } from './caller-classes.js';

/** One limit that applies to an operation: everything a charge needs except its cost. */
export interface BoundLimit {
  /**
   * Identity of the counter. It consists of the scope, field, measure, algorithm, period or window, and
   * key of the limit. Only a shadow limit's identity also contains the id of the rule.
   */
  readonly id: string;
  /**
   * Name of the rule; `tier:NAME` for the bucket of a tier, `tier:NAME:budget` for its budget, and
   * `key:budget` for the budget of an API key.
   */
  readonly ruleName: string;
  /** Undefined for the bucket and the budget of a tier, and for the budget of an API key. */
  readonly rule: Rule | undefined;
  readonly scope: Scope;
  readonly pattern: FieldPattern;
  readonly measure: Measure;
  readonly parameters: RuleLimit;
  readonly mode: 'ENFORCE' | 'SHADOW';
}

/** A rule with everything that can be derived before an operation is known. */
export interface PreparedRule {
  rule: Rule;
  pattern: FieldPattern;
  limits: readonly BoundLimit[];
  /**
   * Level of the rule: its scope, field and measure as one string. Of the rules of one level that
   * match an operation, at most one is enforced.
   */
  level: string;
  /**
   * Whether the rule names clients, addresses, users, tenants, keys, apps or versions, which are known
   * only for a request.
   */
  asksForRequest: boolean;
  /** Classes of requests that the rule applies to. */
  classes: CallerClasses;
}

const prepared = new WeakMap<Rule, PreparedRule>();

/**
 * Prepares a rule. The result is cached per rule object, because a new version of the ruleset
 * reuses most of the objects of the previous one.
 */
export function prepareRule(rule: Rule): PreparedRule {
  const known = prepared.get(rule);
  if (known) return known;
  const made = prepare(rule);
  prepared.set(rule, made);
  return made;
}

function prepare(rule: Rule): PreparedRule {
  const field = fieldTextOf(rule);
  const pattern = parseFieldText(field);
  if (!pattern)
    throw new TypeError(
      `rule "${rule.name}": field: expected "Type.field", "Type.*", "*.field" or "*", got "${field}"`,
    );
  const mode = rule.mode === 'SHADOW' ? 'SHADOW' : 'ENFORCE';
  const limits = rule.limits.map((parameters): BoundLimit => {
    const id = counterId(rule.scope, field, rule.measure, parameters);
    // A shadow rule has its own counter: it must not change that of an enforced rule.
    return {
      id: mode === 'SHADOW' ? `${id}|shadow|${rule.id}` : id,
      ruleName: rule.name,
      rule,
      scope: rule.scope,
      pattern,
      measure: rule.measure,
      parameters,
      mode,
    };
  });
  const { clients, addresses, users, tenants, keys, apps, appVersions } = rule.match;
  const named = [clients, addresses, users, tenants, keys, apps, appVersions];
  const asksForRequest = named.some((list) => list && list.length > 0);
  const level = rule.hasUnknownLevel ? `unknown|${rule.id}` : levelOf(rule.scope, field, rule.measure);
  return { rule, pattern, limits, level, asksForRequest, classes: classesOf(rule.match) };
}

/** Orders exempting rules first, then by priority, then by id. */
export function bestFirst(a: PreparedRule, b: PreparedRule): number {
  const exempts = ({ rule }: PreparedRule) => (rule.action.type === 'EXEMPT' ? 0 : 1);
  return exempts(a) - exempts(b) || a.rule.priority - b.rule.priority || compareIds(a.rule.id, b.rule.id);
}

/**
 * Orders the ids of stored rules, which are numbers, before the ids of rules in code, which are
 * names.
 */
function compareIds(a: string, b: string): number {
  const [first, second] = [Number(a), Number(b)];
  if (first !== second && !(Number.isNaN(first) && Number.isNaN(second))) {
    return Number.isNaN(first) || first > second ? 1 : -1;
  }
  return a < b ? -1 : 1;
}

const WHOLE_OPERATION = parseFieldPattern('*') as FieldPattern;

/** Level of the buckets and budgets of tiers. An exempting rule at this level removes them. */
export const BUCKET_LEVEL = levelOf('USER', '*', 'COST');

/** Returns the budget of a tier as a limit, or undefined if the tier has none. */
export function tierBudget({ name, budget }: Tier): BoundLimit | undefined {
  if (budget === null) return undefined;
  const parameters: RuleLimit = { algorithm: 'CALENDAR_WINDOW', ...budget, key: 'tier' };
  return ofTier(`tier:${name}:budget`, parameters);
}

/** Placeholder for the bucket of a tier without one. It only identifies the counter. */
const NO_BUCKET: BucketParameters = { capacity: MAX_COST, refillAmount: MAX_COST, refillPeriodMs: 1000 };

/** Name of the budget of an API key in responses. All keys share it, so that names stay few. */
const KEY_BUDGET = 'key:budget';

/** Returns the limit of an API key that has a budget of its own. */
export function keyBudget(budget: KeyBudget): BoundLimit {
  const parameters = parametersOfKey(budget);
  return {
    id: counterId('API_KEY', '*', 'COST', parameters),
    ruleName: KEY_BUDGET,
    rule: undefined,
    scope: 'API_KEY',
    pattern: WHOLE_OPERATION,
    measure: 'COST',
    parameters,
    mode: 'ENFORCE',
  };
}

function parametersOfKey(budget: KeyBudget): RuleLimit {
  if ('calendar' in budget) return { algorithm: 'CALENDAR_WINDOW', ...budget.calendar, key: 'budget' };
  const { capacity, refillAmount, refillPeriodMs } = budget;
  return { algorithm: 'TOKEN_BUCKET', capacity, refillAmount, refillPeriodMs, key: 'budget' };
}

/** Returns whether the limit is the budget of an API key. */
export function isKeyBudget({ rule, scope }: BoundLimit): boolean {
  return rule === undefined && scope === 'API_KEY';
}

/**
 * Returns the default limit of a tier: its token bucket per principal, measured in cost. All tiers
 * and overrides share one counter, so that a change of tier keeps the usage so far. For a tier
 * without a bucket, the limit only identifies the counter, and must not be charged.
 */
export function tierBucket(
  tier: Tier,
  { capacity, refillAmount, refillPeriodMs }: BucketParameters = bucketOf(tier) ?? NO_BUCKET,
): BoundLimit {
  const parameters: RuleLimit = { algorithm: 'TOKEN_BUCKET', capacity, refillAmount, refillPeriodMs, key: 'tier' };
  return ofTier(`tier:${tier.name}`, parameters);
}

function ofTier(ruleName: string, parameters: RuleLimit): BoundLimit {
  return {
    id: counterId('USER', '*', 'COST', parameters),
    ruleName,
    rule: undefined,
    scope: 'USER',
    pattern: WHOLE_OPERATION,
    measure: 'COST',
    parameters,
    mode: 'ENFORCE',
  };
}

function levelOf(scope: Scope, field: string, measure: Measure): string {
  return `${scope}|${field}|${measure}`;
}

/**
 * Returns the identity of a counter: scope, field pattern, measure, algorithm, period, window or
 * `bucket`, and the limit's key.
 */
function counterId(
  scope: Scope,
  field: string,
  measure: Measure,
  { algorithm, windowMs, every, key }: RuleLimit,
): string {
  return [
    levelOf(scope, field, measure),
    algorithm,
    every ?? windowMs ?? 'bucket',
    ...(key === undefined ? [] : [key]),
  ].join('|');
}
