import { LRUCache } from 'lru-cache';
import type { Rule, Tier } from '../../model/rule.js';
import { type BoundRuleset, bindRules, type UnknownRule } from './bind-rules.js';
import { ALL_CLASSES, classOf, hasClass } from './caller-classes.js';
import { asksForIntrospection, INTROSPECTION } from './introspection.js';
import { isTimed, periodAt } from './period-at.js';
import { type BoundLimit, type PreparedRule, prepareRule, tierBucket, tierBudget } from './prepare-rule.js';
import {
  concerns,
  createFootprint,
  createRuleIndex,
  type OperationFacts,
  type RequestFacts,
  type RuleIndex,
} from './rule-index.js';

export type { BoundLimit, BoundRuleset, OperationFacts, RequestFacts, UnknownRule };

/**
 * The rules of one version, immutable. If some rules apply only at certain times, the ruleset that
 * `createRuleset` returns contains the limits of all times. `at` then returns the ruleset of a time.
 */
export interface Ruleset {
  readonly version: number;
  readonly rules: readonly Rule[];
  readonly tiers: readonly Tier[];
  /** Returns the tier with that name, else the default one. */
  tier(name: string | undefined): Tier;
  /** Returns the limits of an operation on a tier. Cache them together with its cost plan. */
  bind(tier: Tier, operation: OperationFacts): BoundRuleset;
  /**
   * Returns the limits that may apply to some operation of a tier, to show a caller's quota.
   * `INTROSPECTION` is not included.
   */
  bindAll(tier: Tier): BoundRuleset;
  /**
   * Returns every limit that can apply to some request on a tier, except that of `INTROSPECTION`.
   * Several limits may share one counter.
   */
  limitsOf(tier: Tier): BoundLimit[];
  /**
   * Returns the ruleset of an instant in epoch milliseconds, without the rules that do not apply
   * then. Returns this ruleset if it is the one of the instant.
   * @param previous ruleset whose work the result reuses. @default this ruleset
   */
  at(nowMs: number, previous?: Ruleset): Ruleset;
}

const indexes = new WeakMap<Ruleset, RuleIndex>();

/** Time during which a ruleset is in force, in epoch milliseconds. The end is excluded. */
interface Period {
  readonly sinceMs: number;
  readonly untilMs: number;
}

const ANY_TIME: Period = { sinceMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY };
const NO_TIME: Period = { sinceMs: Number.POSITIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY };

/**
 * Builds the immutable ruleset that requests are matched against. It reuses the work for rule
 * objects that the previous version also contains, so that 10,000 rules do not block requests.
 */
export function createRuleset(
  { tiers, rules, version }: Pick<Ruleset, 'tiers' | 'rules' | 'version'>,
  previous?: Ruleset,
): Ruleset {
  const byName = new Map(tiers.map((tier) => [tier.name, tier]));
  const fallback = tiers.find((tier) => tier.isDefault) ?? tiers[0];
  if (!fallback) throw new TypeError('tiers: expected at least one tier');
  const inUse = rules.filter((rule) => rule.mode !== 'OFF').map(prepareRule);
  const parts: RulesetParts = {
    version,
    rules,
    tiers,
    tier: (name) => (name === undefined ? undefined : byName.get(name)) ?? fallback,
    inUse,
  };
  return assemble(parts, inUse, inUse.some(({ rule }) => isTimed(rule)) ? NO_TIME : ANY_TIME, previous);
}

interface RulesetParts extends Pick<Ruleset, 'version' | 'rules' | 'tiers' | 'tier'> {
  /** The rules of all times that are not `OFF`. */
  inUse: readonly PreparedRule[];
}

/** Builds the ruleset of a period. `active` are the rules that apply in it. */
function assemble(
  parts: RulesetParts,
  active: readonly PreparedRule[],
  period: Period,
  previous: Ruleset | undefined,
): Ruleset {
  const { inUse, ...content } = parts;
  const index = createRuleIndex(active, previous && indexes.get(previous));
  const hasUnknown = active.some(({ rule }) => rule.unknown !== undefined);
  const isForTier = ({ rule }: PreparedRule, { name }: Tier) =>
    !rule.match.tiers?.length || rule.match.tiers.includes(name);

  /**
   * Cached because the console polls the quota of a caller every second, and binding 10,000 rules
   * takes 50 ms.
   */
  const boundToAll = new LRUCache<Tier, BoundRuleset>({ max: 8 });

  const ruleset: Ruleset = {
    ...content,
    bind(tier, operation) {
      const footprint = createFootprint(operation);
      const found = index.forOperation(tier, footprint);
      const bound = asksForIntrospection(operation.coordinates) ? [...found, INTROSPECTION] : found;
      const forRequest = (request: RequestFacts) => {
        const added = index.forRequest(request);
        return added.length === 0 ? added : added.filter((one) => concerns(one, tier, footprint));
      };
      return bindByClass(tier, bound, forRequest, hasUnknown || tier.unknown !== undefined);
    },
    bindAll(tier) {
      let bound = boundToAll.get(tier);
      if (bound === undefined) {
        const ofTier = active.filter((one) => isForTier(one, tier));
        bound = bindByClass(
          tier,
          ofTier.filter((one) => !one.asksForRequest),
          (request) => index.forRequest(request).filter((one) => isForTier(one, tier)),
        );
        boundToAll.set(tier, bound);
      }
      return bound;
    },
    // A rule keeps its counters while it does not apply.
    limitsOf: (tier) => [
      tierBucket(tier),
      ...[tierBudget(tier)].filter((budget) => budget !== undefined),
      ...inUse.filter((one) => isForTier(one, tier)).flatMap(({ limits }) => limits),
    ],
    at(nowMs, before = ruleset) {
      if (nowMs >= period.sinceMs && nowMs < period.untilMs) return ruleset;
      const periods = inUse.map((one) => ({ one, ...periodAt(one.rule, nowMs) }));
      const untilMs = periods.reduce((first, one) => Math.min(first, one.untilMs), Number.POSITIVE_INFINITY);
      const applying = periods.filter(({ applies }) => applies).map(({ one }) => one);
      return assemble(parts, applying, { sinceMs: nowMs, untilMs }, before);
    },
  };
  indexes.set(ruleset, index);
  return ruleset;
}

/**
 * Binds the rules for each class of callers separately, when the first caller of the class arrives.
 * So rules that depend only on the class cost nothing per request.
 */
function bindByClass(...[tier, rules, forRequest, hasUnknown]: Parameters<typeof bindRules>): BoundRuleset {
  if (rules.every(({ classes }) => classes === ALL_CLASSES)) return bindRules(tier, rules, forRequest, hasUnknown);
  const byClass: BoundRuleset[] = [];
  function boundFor(request: RequestFacts): BoundRuleset {
    const callerClass = classOf(request);
    byClass[callerClass] ??= bindRules(
      tier,
      rules.filter(({ classes }) => hasClass(classes, callerClass)),
      forRequest,
      hasUnknown,
    );
    return byClass[callerClass];
  }
  return {
    select: (request) => boundFor(request).select(request),
    unknownRules: hasUnknown ? (request) => boundFor(request).unknownRules?.(request) ?? [] : undefined,
  };
}
