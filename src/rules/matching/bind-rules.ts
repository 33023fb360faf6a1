import type { BucketParameters, CalendarBudget, KeyBudget } from '../../model/limit-parameters.js';
import { bucketOf, type Tier } from '../../model/rule.js';
import type { Scope } from '../../model/subject.js';
import type { FieldPattern } from '../policy/field-pattern.js';
import { INTROSPECTION, replacesIntrospection } from './introspection.js';
import {
  type BoundLimit,
  BUCKET_LEVEL,
  bestFirst,
  keyBudget,
  type PreparedRule,
  tierBucket,
  tierBudget,
} from './prepare-rule.js';
import { isRolledOutTo, type RequestFacts } from './rule-index.js';

/** The limits that apply to an operation on a tier. */
export interface BoundRuleset {
  /**
   * Returns the limits for a request: those that are enforced, narrowest field first, then the
   * shadow limits. It returns the same array each time if nothing depends on the request.
   */
  select(request: RequestFacts): readonly BoundLimit[];
  /**
   * Returns the rules and the tier that apply to a request, but use features that this version does
   * not know. Undefined if the ruleset has no such rule or tier, which is nearly always the case.
   */
  unknownRules: ((request: RequestFacts) => readonly UnknownRule[]) | undefined;
}

/** A rule or a tier that denies operations, because this version does not know its features. */
export interface UnknownRule {
  /** Name of the rule, or `tier:NAME`. */
  readonly name: string;
  readonly scope: Scope;
  readonly pattern: FieldPattern;
  readonly unknown: readonly string[];
}

/** The limits of a request, and the rules that cannot be applied to it. */
interface Composed {
  limits: readonly BoundLimit[];
  unknownRules: readonly UnknownRule[];
}

/** A level (scope, field, measure), whose rules compete: only the best one applies. */
interface Level {
  rank: number;
  /**
   * The best enforced rule. In `composeWith`, it may be a rule that applies only to some requests.
   */
  winner: PreparedRule | undefined;
  /**
   * Bucket and budget of the tier. They apply in addition to the winner of their level; only an
   * exemption removes them.
   */
  ofTier: readonly BoundLimit[];
}

/**
 * Binds the rules of an operation on a tier. Everything that does not depend on the request is
 * decided here, once.
 * @param forRequest returns the rules that name the client, address, user, tenant or API key of a
 * request
 * @param hasUnknown whether this version does not know the features of the tier or of any rule
 */
export function bindRules(
  tier: Tier,
  rules: readonly PreparedRule[],
  forRequest: (request: RequestFacts) => readonly PreparedRule[],
  hasUnknown = false,
): BoundRuleset {
  const bucket = tierBucket(tier);
  const budget = tierBudget(tier);
  const ofTier = budget ? [bucket, budget] : [bucket];
  const levels = new Map<string, Level>([[BUCKET_LEVEL, { rank: bucket.pattern.rank, winner: undefined, ofTier }]]);
  const shadows: PreparedRule[] = [];
  const rollingOut: PreparedRule[] = [];
  for (const one of [...rules].sort(bestFirst)) {
    // The winner of the level applies to all requests and ranks before this rule. A shadow rule is
    // skipped too, because it would not apply if it were enforced.
    if (levels.get(one.level)?.winner) continue;
    if (one.rule.rolloutPercent < 100) rollingOut.push(one);
    else if (one.rule.mode === 'SHADOW') shadows.push(one);
    else levels.set(one.level, { ofTier: [], ...levels.get(one.level), rank: one.pattern.rank, winner: one });
  }
  const ofTierItself = tier.unknown ? [unknownTier(tier.name, tier.unknown, bucket)] : [];
  const fixed = compose([...levels.values()], shadows);
  const hasBucket = bucketOf(tier) !== undefined;
  const fixedWithoutBucket = hasBucket ? fixed.limits : fixed.limits.filter((limit) => limit !== bucket);
  const overridden = new WeakMap<BucketParameters, BoundLimit>();

  /**
   * Replaces the tier's bucket with the subject's own. Returns the same limit object for the same
   * bucket. Without an override, removes the placeholder bucket of a tier that has no bucket.
   */
  function withOverride(limits: readonly BoundLimit[], override: BucketParameters | undefined): readonly BoundLimit[] {
    if (!override) {
      if (hasBucket) return limits;
      return limits === fixed.limits ? fixedWithoutBucket : limits.filter((limit) => limit !== bucket);
    }
    const known = knownBucket(override);
    const own = overridden.get(known) ?? tierBucket(tier, known);
    overridden.set(known, own);
    return limits.map((limit) => (limit === bucket ? own : limit));
  }

  /**
   * Adds the budget of the caller's API key. No rule replaces it or exempts from it, because it
   * bounds how much of the holder's tokens the key can spend.
   */
  function withKeyBudget(limits: readonly BoundLimit[], budget: KeyBudget | undefined): readonly BoundLimit[] {
    if (!budget) return limits;
    const firstShadow = limits.findIndex(({ mode }) => mode === 'SHADOW');
    return limits.toSpliced(firstShadow === -1 ? limits.length : firstShadow, 0, boundKeyBudget(budget));
  }

  function composedFor(request: RequestFacts): Composed {
    const added = forRequest(request);
    const contenders = added.length === 0 ? rollingOut : [...added, ...rollingOut];
    const applying =
      contenders.length === 0
        ? contenders
        : contenders.filter((one) => one.rule.rolloutPercent >= 100 || isRolledOutTo(one, request));
    return applying.length === 0 ? fixed : composeWith(levels, shadows, applying);
  }

  return {
    select(request) {
      const { bucket: override, keyBudget: ofKey } = request.subject;
      return withKeyBudget(withOverride(composedFor(request).limits, override), ofKey);
    },
    unknownRules: hasUnknown ? (request) => [...ofTierItself, ...composedFor(request).unknownRules] : undefined,
  };
}

/** Buckets by their capacity and refill. */
let knownBuckets = new Map<string, BucketParameters>();
const MAX_KNOWN_BUCKETS = 10_000;

/**
 * Returns the same object for the same capacity and refill. An `identify` function may create a new
 * bucket object for each request, or modify one that it returned before.
 */
function knownBucket({ capacity, refillAmount, refillPeriodMs }: BucketParameters): BucketParameters {
  const key = `${capacity} ${refillAmount} ${refillPeriodMs}`;
  let known = knownBuckets.get(key);
  if (known === undefined) {
    if (knownBuckets.size >= MAX_KNOWN_BUCKETS) knownBuckets = new Map();
    known = { capacity, refillAmount, refillPeriodMs };
    knownBuckets.set(key, known);
  }
  return known;
}

/** Calendars of keys by their members. */
let knownCalendars = new Map<string, { calendar: CalendarBudget }>();

/** Returns the same object for the same calendar, for the reasons of `knownBucket`. */
function knownCalendar(calendar: CalendarBudget): { calendar: CalendarBudget } {
  const { amount, every, timeZone, anchorDay, anchorTime, anchor, hardCap, carryOver } = calendar;
  const { percent, max } = carryOver ?? {};
  const key = [amount, every, timeZone, anchorDay, anchorTime, anchor, hardCap, percent, max].join(' ');
  let known = knownCalendars.get(key);
  if (known === undefined) {
    if (knownCalendars.size >= MAX_KNOWN_BUCKETS) knownCalendars = new Map();
    known = { calendar: { ...calendar, ...(carryOver && { carryOver: { ...carryOver } }) } };
    knownCalendars.set(key, known);
  }
  return known;
}

const boundKeyBudgets = new WeakMap<KeyBudget, BoundLimit>();

/** Returns the limit of a key's budget: the same object for equal budgets. */
export function boundKeyBudget(budget: KeyBudget): BoundLimit {
  const known = 'calendar' in budget ? knownCalendar(budget.calendar) : knownBucket(budget);
  let bound = boundKeyBudgets.get(known);
  if (bound === undefined) {
    bound = keyBudget(known);
    boundKeyBudgets.set(known, bound);
  }
  return bound;
}

/**
 * Returns the limits for one request. The rules in `applying`, which apply only to some requests,
 * compete with the rules that apply to all requests.
 */
function composeWith(
  levels: ReadonlyMap<string, Level>,
  shadows: readonly PreparedRule[],
  applying: readonly PreparedRule[],
): Composed {
  const contested = new Map(levels);
  const contendingShadows = [...shadows];
  for (const one of applying) {
    if (one.rule.mode === 'SHADOW') contendingShadows.push(one);
    else if (wins(one, contested)) {
      contested.set(one.level, {
        rank: one.pattern.rank,
        winner: one,
        ofTier: contested.get(one.level)?.ofTier ?? [],
      });
    }
  }
  const winningShadows = contendingShadows.filter((one) => wins(one, contested));
  return compose([...contested.values()], winningShadows);
}

/** Returns whether the rule wins on its level: no better rule of this level applies. */
function wins(one: PreparedRule, levels: ReadonlyMap<string, Level>): boolean {
  const winner = levels.get(one.level)?.winner;
  return winner === undefined || bestFirst(one, winner) <= 0;
}

/**
 * Orders levels by the width of their field, narrowest first. At equal width, the limits of the
 * tier come first, then the best rule, so that the order does not depend on rules that do not apply.
 */
function narrowestFirst(a: Level, b: Level): number {
  return (
    a.rank - b.rank || b.ofTier.length - a.ofTier.length || (a.winner && b.winner ? bestFirst(a.winner, b.winner) : 0)
  );
}

function compose(levels: readonly Level[], shadows: readonly PreparedRule[]): Composed {
  const limits: BoundLimit[] = [];
  const unknownRules: UnknownRule[] = [];
  const isReplaced = hasReplacedIntrospection(levels);
  for (const { winner, ofTier } of [...levels].sort(narrowestFirst)) {
    if (winner?.rule.action.type === 'EXEMPT' || (isReplaced && winner === INTROSPECTION)) continue;
    if (winner) limits.push(...winner.limits);
    if (winner?.rule.unknown) unknownRules.push(unknownRuleOf(winner, winner.rule.unknown));
    limits.push(...ofTier);
  }
  for (const shadow of shadows) limits.push(...shadow.limits);
  return { limits, unknownRules };
}

/** Returns whether a rule that applies replaces the bucket for introspection. */
function hasReplacedIntrospection(levels: readonly Level[]): boolean {
  if (!levels.some(({ winner }) => winner === INTROSPECTION)) return false;
  return levels.some(({ winner }) => winner !== undefined && replacesIntrospection(winner));
}

function unknownRuleOf({ rule, pattern }: PreparedRule, unknown: readonly string[]): UnknownRule {
  return { name: rule.name, scope: rule.scope, pattern, unknown };
}

function unknownTier(name: string, unknown: readonly string[], { scope, pattern }: BoundLimit): UnknownRule {
  return { name: `tier:${name}`, scope, pattern, unknown };
}
