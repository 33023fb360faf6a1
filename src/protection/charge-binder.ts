import type { CostMeasure, FieldsOf, MeasuredCost } from '../cost/cost-plan.js';
import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import { largestCharge, MAX_LIMITS, type Precision } from '../model/limit-parameters.js';
import type { Amount, OperationType, Tier } from '../model/rule.js';
import { hasScope } from '../model/subject.js';
import { limitOfConnection } from '../rules/matching/limited-connection.js';
import type { MatchedPool, PoolFinder, PoolOfCaller } from '../rules/matching/pool-finder.js';
import type { BoundLimit, BoundRuleset, RequestFacts, Ruleset, UnknownRule } from '../rules/matching/ruleset.js';
import { isSlotLimit } from './answer/is-slot-limit.js';
import { type ChargesOfLimit, KeptCharges } from './kept-charges.js';
import { isTooLarge, withoutExcessShadows } from './too-many-limits-error.js';

/** Attributes of the operation that rules may match, in addition to its fields. */
interface OperationIdentity {
  type: OperationType;
  name: string | undefined;
}

/**
 * A plan in which limits can measure fields: a `CostPlan`, or the plan of a recorded operation. A
 * `Measure` is the compiled form of the fields that a limit counts, such as a `CostMeasure`.
 */
export interface MeasurablePlan<Measure> {
  measure(matches: FieldsOf, amount?: Amount): Measure;
}

/** The plan with the variables of one request. */
interface MeasurableRequest<Measure> {
  measure(measure: Measure): MeasuredCost;
}

/** The limits of one request, each with its charge at the same index. */
export interface BoundCharges<Measure = CostMeasure> {
  limits: readonly BoundLimit[];
  charges: readonly LimitCharge[];
  /** Measures of fields. `actualCosts` needs their actual values in this order. */
  measures: readonly Measure[];
  /** Index in `measures` of the measure of each limit. */
  indexes: ReadonlyMap<BoundLimit, number>;
  /** Pool whose Redis decides; undefined for the default pool. */
  pool: MatchedPool | undefined;
  /** Rule or tier that denies the operation, because this version does not know its features. */
  unknownRule?: UnknownRule | undefined;
}

/**
 * Data that depends only on the plan, the tier and the ruleset. It is cached as long as the plan.
 */
interface Binding<Measure> {
  ruleset: Ruleset;
  bound: BoundRuleset;
  /** One measure per field pattern and amount, shared by all limits that use it. */
  measures: Measure[];
  indexes: Map<BoundLimit, number>;
  /** Indexes of `measures` by `measureKey`. */
  indexOfKey: Map<string, number>;
  planLimits: WeakMap<BoundLimit, PlanLimit<Measure>>;
  poolOf: PoolOfCaller | undefined;
}

/** State of one limit for the operations of one plan. */
interface PlanLimit<Measure> {
  /** Undefined if the charge does not depend on a measure. */
  measure: Measure | undefined;
  /**
   * Charge of the latest operation. It is reused, because the next operation usually has the same
   * cost. The object is never modified.
   */
  latest: LimitCharge;
  kept: ChargesOfLimit;
}

export interface ChargeBinder<Measure = CostMeasure> {
  /**
   * Returns the limits that apply to a request, with the amount to charge to each of them.
   * @param cost estimated cost of the operation, in tokens
   */
  bind(
    plan: MeasurablePlan<Measure>,
    priced: MeasurableRequest<Measure>,
    cost: number,
    ruleset: Ruleset,
    tier: Tier,
    operation: OperationIdentity,
    request: RequestFacts,
  ): BoundCharges<Measure>;
}

interface ChargeBinderOptions {
  /** Mode of the rules. `SHADOW` evaluates every rule, but no rule denies an operation. */
  mode: 'ENFORCE' | 'SHADOW';
  /** Precision of the tier buckets. @default 'EXACT' */
  tierPrecision?: Precision | undefined;
  poolFinder?: PoolFinder | undefined;
  /**
   * Returns a copy of a charge that already contains the limiter's compiled limit. It saves time
   * for charges that are used often.
   */
  prepare?: (charge: LimitCharge) => LimitCharge;
}

/**
 * Creates the binder that turns rules into charges. For each request, the binder finds the limits
 * that apply and the amount to charge to each of them.
 */
export function createChargeBinder<Measure = CostMeasure>(options: ChargeBinderOptions): ChargeBinder<Measure> {
  const { mode, tierPrecision = 'EXACT', poolFinder, prepare = (charge: LimitCharge) => charge } = options;
  const bindings = new WeakMap<MeasurablePlan<Measure>, Map<string, Binding<Measure>>>();
  const kept = new KeptCharges((limit) => {
    const charge = idleCharge(limit);
    if (mode === 'SHADOW') charge.mode = 'SHADOW';
    if (limit.rule === undefined) charge.precision = tierPrecision;
    return prepare(charge);
  });

  function bindingOf(
    plan: MeasurablePlan<Measure>,
    ruleset: Ruleset,
    tier: Tier,
    operation: OperationIdentity,
  ): Binding<Measure> {
    let byTier = bindings.get(plan);
    if (!byTier) {
      byTier = new Map();
      bindings.set(plan, byTier);
    }
    const known = byTier.get(tier.name);
    if (known?.ruleset === ruleset) return known;
    const facts = { ...operation, coordinates: coordinatesOf(plan) };
    const bound = ruleset.bind(tier, facts);
    const binding: Binding<Measure> = {
      ruleset,
      bound,
      measures: [],
      indexes: new Map(),
      indexOfKey: new Map(),
      planLimits: new WeakMap(),
      poolOf: poolFinder?.ofOperation(facts),
    };
    byTier.set(tier.name, binding);
    return binding;
  }

  function planLimitOf(
    binding: Binding<Measure>,
    plan: MeasurablePlan<Measure>,
    limit: BoundLimit,
  ): PlanLimit<Measure> {
    const known = binding.planLimits.get(limit);
    if (known) return known;
    const charges = kept.of(limit);
    const added = { measure: sharedMeasure(binding, plan, limit), latest: charges.ofNothing, kept: charges };
    binding.planLimits.set(limit, added);
    return added;
  }

  return {
    bind(plan, priced, cost, ruleset, tier, operation, request) {
      const binding = bindingOf(plan, ruleset, tier, operation);
      const limits: BoundLimit[] = [];
      const charges: LimitCharge[] = [];
      let enforced = 0;
      for (const found of binding.bound.select(request)) {
        const limit = found.parameters.perConnection ? limitOfConnection(found, request.connection) : found;
        if (limit === undefined || !hasScope(request.subject, limit.scope)) continue;
        const isShadow = limit.rule !== undefined && (limit.mode === 'SHADOW' || mode === 'SHADOW');
        // A limit on fields needs a measurement, which takes time. Shadow limits that do not fit
        // into the charge are skipped. If there are already too many enforced limits, the operation
        // is rejected, so no further limit is measured.
        if (isShadow && charges.length >= MAX_LIMITS) continue;
        if (!isShadow && enforced > MAX_LIMITS && needsMeasure(limit)) continue;
        const planLimit = planLimitOf(binding, plan, limit);
        const charge = costOf(limit, cost, planLimit.measure && priced.measure(planLimit.measure));
        // A rule does not apply if this request omits all fields of the rule, for example by @skip.
        if (charge === 0 && !limit.pattern.wholeOperation) continue;
        if (planLimit.latest.cost !== charge) planLimit.latest = kept.chargeAt(planLimit.kept, charge);
        limits.push(limit);
        charges.push(planLimit.latest);
        if (!isShadow) enforced++;
      }
      const { measures, indexes, poolOf } = binding;
      const pool = poolOf?.({ subject: request.subject, tier: tier.name });
      const unknownRules = binding.bound.unknownRules?.(request);
      const unknownRule = unknownRules && unknownRuleOf(unknownRules, plan, priced, request);
      const all = { limits, charges, measures, indexes, pool, unknownRule };
      return isTooLarge(all) ? { ...all, ...withoutExcessShadows(all) } : all;
    },
  };
}

/** Returns the first unknown rule that concerns the fields of this request. */
function unknownRuleOf<Measure>(
  unknownRules: readonly UnknownRule[],
  plan: MeasurablePlan<Measure>,
  priced: MeasurableRequest<Measure>,
  { subject }: RequestFacts,
): UnknownRule | undefined {
  return unknownRules.find(
    ({ scope, pattern }) =>
      hasScope(subject, scope) &&
      (pattern.wholeOperation || priced.measure(plan.measure(pattern.matches, 'COST')).calls > 0),
  );
}

/**
 * Returns the measure of a limit, or undefined if the limit needs none. Limits with the same
 * pattern and amount share one measure.
 */
function sharedMeasure<Measure>(
  { measures, indexes, indexOfKey }: Binding<Measure>,
  plan: MeasurablePlan<Measure>,
  limit: BoundLimit,
): Measure | undefined {
  if (!needsMeasure(limit)) return undefined;
  const key = measureKey(limit);
  let index = indexOfKey.get(key);
  if (index === undefined) {
    index = measures.push(measureOf(plan, limit)) - 1;
    indexOfKey.set(key, index);
  }
  indexes.set(limit, index);
  return measures[index];
}

/** Returns the actual charge of each limit by its id. */
export function actualCosts(
  { limits, indexes }: Pick<BoundCharges<unknown>, 'limits' | 'indexes'>,
  actual: { cost: number; measures: readonly { cost: number; calls: number }[] },
): Record<string, number> {
  const costs: Record<string, number> = {};
  for (const limit of limits) {
    // A request counts as one regardless of its result, so its charge needs no correction. A
    // concurrency limit is included, because its settlement releases the slot.
    if (limit.measure === 'REQUESTS' && !isSlotLimit(limit)) continue;
    costs[limit.id] = costOf(limit, actual.cost, actual.measures[indexes.get(limit) ?? -1]);
  }
  return costs;
}

/** Returns the charges for an operation that is refunded: 0 for each limit, by limit id. */
export function costsOfNothing({ charges }: Pick<BoundCharges<unknown>, 'charges'>): Record<string, number> {
  return Object.fromEntries(charges.map(({ id }) => [id, 0]));
}

/**
 * Returns the charges for a response that Tollgate did not read, by limit id. Only limits on the
 * tokens of whole operations are included; all other limits keep their charges.
 */
export function unseenCosts({ limits }: Pick<BoundCharges<unknown>, 'limits'>, cost: number): Record<string, number> {
  const costs: Record<string, number> = {};
  for (const limit of limits) {
    const countsTokens = limit.measure === 'COST' && limit.parameters.algorithm !== 'CONCURRENCY';
    if (countsTokens && limit.pattern.wholeOperation) costs[limit.id] = costOf(limit, cost, undefined);
  }
  return costs;
}

/**
 * Returns the charges for a response whose cost another server reported, by limit id. Limits on
 * the tokens of whole operations are charged this cost. A limit on the tokens of some fields is
 * charged at most this cost, and slots are released. All other limits keep their charges.
 */
export function reportedCosts(
  { limits, charges }: Pick<BoundCharges<unknown>, 'limits' | 'charges'>,
  cost: number,
): Record<string, number> {
  const costs: Record<string, number> = {};
  limits.forEach((limit, index) => {
    const { id, pattern, measure } = limit;
    // Any cost releases the slot. The charged one keeps the charge of a window with the same id.
    if (isSlotLimit(limit)) costs[id] = charges[index]!.cost;
    else if (measure === 'COST') costs[id] = pattern.wholeOperation ? cost : Math.min(cost, charges[index]!.cost);
  });
  return costs;
}

/**
 * Returns a charge of cost 0 for a limit. `peek` uses it unchanged, and the binder sets a cost on a
 * copy of it.
 */
export function idleCharge(limit: BoundLimit): LimitCharge {
  const { key: _key, perConnection: _counter, ...parameters } = limit.parameters;
  const charge: LimitCharge = {
    id: limit.id,
    scope: limit.scope,
    ...parameters,
    cost: 0,
    mode: limit.mode,
    rank: limit.pattern.rank,
    onUnavailable: limit.rule?.onUnavailable ?? 'LOCAL',
    precision: limit.rule?.precision ?? 'EXACT',
  };
  // Limits of tiers and API keys have the mode that the option `region` gives them.
  if (limit.rule !== undefined) charge.regionMode = limit.rule.regionMode;
  if (limit.rule?.action.type === 'THROTTLE' && isBucket(limit)) charge.maxDelayMs = limit.rule.action.maxDelayMs;
  return charge;
}

function costOf(limit: BoundLimit, cost: number, measured: { cost: number; calls: number } | undefined): number {
  if (countsOperations(limit)) return !measured || measured.calls > 0 ? 1 : 0;
  if (limit.measure === 'CALLS') return measured?.calls ?? 0;
  if (limit.measure === 'COST' && limit.pattern.wholeOperation) return cost;
  return measured?.cost ?? 0;
}

/**
 * Returns whether a limit needs a measure. The cost and the number of whole operations need none.
 */
function needsMeasure({ pattern, measure }: BoundLimit): boolean {
  return !pattern.wholeOperation || (measure !== 'COST' && !countsOperations({ measure }));
}

/** Returns whether a limit counts each operation or connection as one. */
function countsOperations({ measure }: Pick<BoundLimit, 'measure'>): boolean {
  return measure === 'REQUESTS' || measure === 'SUBSCRIPTIONS' || measure === 'CONNECTIONS';
}

function measureOf<Measure>(plan: MeasurablePlan<Measure>, limit: BoundLimit): Measure {
  const { pattern, measure } = limit;
  const amount = amountOf(limit);
  return plan.measure(pattern.wholeOperation && amount === measure ? 'OPERATION' : pattern.matches, amount);
}

/** Returns the amount to measure. Measuring the cost of fields also counts their calls. */
function amountOf({ measure }: BoundLimit): Amount {
  return measure === 'CALLS' || countsOperations({ measure }) ? 'COST' : (measure as Amount);
}

/**
 * Returns the key of a measure. A space separates its parts, because no pattern contains a space.
 */
function measureKey(limit: BoundLimit): string {
  return `${limit.pattern.text} ${amountOf(limit)}`;
}

function isBucket({ parameters }: BoundLimit): boolean {
  return parameters.algorithm === 'TOKEN_BUCKET' || parameters.algorithm === 'LEAKY_BUCKET';
}

/** Returns every coordinate that the operation can resolve. */
function coordinatesOf(plan: MeasurablePlan<unknown>): string[] {
  const coordinates = new Set<string>();
  plan.measure((coordinate) => {
    coordinates.add(coordinate);
    return false;
  });
  return [...coordinates];
}

/**
 * Returns whether an enforced charge exceeds the capacity of its limit. Such a charge is denied
 * regardless of the remaining amount.
 */
export function isImpossible(charge: LimitCharge): boolean {
  return charge.mode !== 'SHADOW' && charge.cost > Number(largestCharge(charge));
}
