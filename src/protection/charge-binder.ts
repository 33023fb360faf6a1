import type { GraphQLError } from 'graphql';
import type { CostMeasure, FieldsOf, MeasuredCost } from '../cost/cost-plan.js';
import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import { ERRORS, errorOf } from '../model/errors.js';
import { MAX_LIMITS, type Precision } from '../model/limit-parameters.js';
import type { Amount, AnswerDetail, OperationType, Tier } from '../model/rule.js';
import { hasScope } from '../model/subject.js';
import type { MatchedPool, PoolFinder, PoolOfCaller } from '../rules/matching/pool-finder.js';
import type { BoundLimit, BoundRuleset, RequestFacts, Ruleset } from '../rules/matching/ruleset.js';
import { type ChargesOfLimit, KeptCharges } from './kept-charges.js';

/** What of the operation the rules may ask, besides its fields. */
interface OperationIdentity {
  type: OperationType;
  name: string | undefined;
}

/** What a limit asks of a plan: of a `CostPlan`, or of what was recorded of one. */
export interface MeasurablePlan<Measure> {
  measure(matches: FieldsOf, amount?: Amount): Measure;
}

/** The same with the numbers of one request. */
interface MeasurableRequest<Measure> {
  measure(measure: Measure): MeasuredCost;
}

/** The limits of one request, each with its charge at the same index. */
export interface BoundCharges<Measure = CostMeasure> {
  limits: readonly BoundLimit[];
  charges: readonly LimitCharge[];
  /** The field measures that `actualCosts` needs, in its order. */
  measures: readonly Measure[];
  /** Where in `measures` that of a limit is. */
  indexes: ReadonlyMap<BoundLimit, number>;
  /** Whose Redis decides; undefined: the default one. */
  pool: MatchedPool | undefined;
}

/** What depends on plan, tier and ruleset alone; kept as long as the plan is. */
interface Binding<Measure> {
  ruleset: Ruleset;
  bound: BoundRuleset;
  /** One measure per field pattern and amount, whichever and however many limits use it. */
  measures: Measure[];
  indexes: Map<BoundLimit, number>;
  /** By `measureKey`. */
  indexOfKey: Map<string, number>;
  planLimits: WeakMap<BoundLimit, PlanLimit<Measure>>;
  poolOf: PoolOfCaller | undefined;
}

/** A limit as operations of one plan are charged for it. */
interface PlanLimit<Measure> {
  /** Undefined where the cost does not depend on it. */
  measure: Measure | undefined;
  /** What the last one was charged: mostly the next one's cost is the same. It is never changed. */
  latest: LimitCharge;
  kept: ChargesOfLimit;
}

export interface ChargeBinder<Measure = CostMeasure> {
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
  /** `SHADOW` evaluates every rule, and none denies. */
  mode: 'ENFORCE' | 'SHADOW';
  /** Of the buckets that tiers bring. @default 'EXACT' */
  tierPrecision?: Precision | undefined;
  poolFinder?: PoolFinder | undefined;
  /** Returns what the limiter that is to charge makes of a limit it will be given often. */
  prepare?: (charge: LimitCharge) => LimitCharge;
}

/** Creates what turns rules into charges: which limits apply to a request, and what each is charged. */
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
      for (const limit of binding.bound.select(request)) {
        if (!hasScope(request.subject, limit.scope)) continue;
        const isShadow = limit.rule !== undefined && (limit.mode === 'SHADOW' || mode === 'SHADOW');
        // Each limit on fields has to be measured: not what there is no room for, nor what is rejected whatever it comes to.
        if (isShadow && charges.length >= MAX_LIMITS) continue;
        if (!isShadow && enforced > MAX_LIMITS && needsMeasure(limit)) continue;
        const planLimit = planLimitOf(binding, plan, limit);
        const charge = costOf(limit, cost, planLimit.measure && priced.measure(planLimit.measure));
        // A rule whose fields this request leaves out (by @skip, say) is not for it.
        if (charge === 0 && !limit.pattern.wholeOperation) continue;
        if (planLimit.latest.cost !== charge) planLimit.latest = kept.chargeAt(planLimit.kept, charge);
        limits.push(limit);
        charges.push(planLimit.latest);
        if (!isShadow) enforced++;
      }
      const { measures, indexes, poolOf } = binding;
      const pool = poolOf?.({ subject: request.subject, tier: tier.name });
      const all = { limits, charges, measures, indexes, pool };
      return isTooLarge(all) ? { ...all, ...withoutExcessShadows(all) } : all;
    },
  };
}

/** Returns the measure of a limit, which limits with the same pattern and amount share; undefined where it needs none. */
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

/** What each limit is to be charged for what was produced, by its id. */
export function actualCosts(
  { limits, indexes }: Pick<BoundCharges<unknown>, 'limits' | 'indexes'>,
  actual: { cost: number; measures: readonly { cost: number; calls: number }[] },
): Record<string, number> {
  const costs: Record<string, number> = {};
  for (const limit of limits) {
    // A request stays a request, whatever came of it; a slot that it took is free again.
    if (limit.measure === 'REQUESTS' && limit.parameters.algorithm !== 'CONCURRENCY') continue;
    costs[limit.id] = costOf(limit, actual.cost, actual.measures[indexes.get(limit) ?? -1]);
  }
  return costs;
}

/** Returns what the limits on the tokens of whole operations are to be charged, by id; the others stay as they were charged. */
export function unseenCosts({ limits }: Pick<BoundCharges<unknown>, 'limits'>, cost: number): Record<string, number> {
  const costs: Record<string, number> = {};
  for (const limit of limits) {
    const countsTokens = limit.measure === 'COST' && limit.parameters.algorithm !== 'CONCURRENCY';
    if (countsTokens && limit.pattern.wholeOperation) costs[limit.id] = costOf(limit, cost, undefined);
  }
  return costs;
}

/** The charge of a limit that is asked for nothing: what `peek` wants, and what a price is put on. */
export function idleCharge(limit: BoundLimit): LimitCharge {
  const { key: _key, ...parameters } = limit.parameters;
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
  if (limit.rule?.action.type === 'THROTTLE' && isBucket(limit)) charge.maxDelayMs = limit.rule.action.maxDelayMs;
  return charge;
}

/** Every limit that may apply to some operation of this caller, asked for nothing: their quota. */
export function quotaCharges(
  ruleset: Ruleset,
  tier: Tier,
  request: RequestFacts,
): Pick<BoundCharges, 'limits' | 'charges'> {
  const limits = ruleset
    .bindAll(tier)
    .select(request)
    .filter((limit) => hasScope(request.subject, limit.scope));
  return { limits, charges: limits.map(idleCharge) };
}

function costOf(limit: BoundLimit, cost: number, measured: { cost: number; calls: number } | undefined): number {
  if (limit.measure === 'REQUESTS') return !measured || measured.calls > 0 ? 1 : 0;
  if (limit.measure === 'CALLS') return measured?.calls ?? 0;
  if (limit.measure === 'COST' && limit.pattern.wholeOperation) return cost;
  return measured?.cost ?? 0;
}

/** Whole operations need none for their cost or their number. */
function needsMeasure({ pattern, measure }: BoundLimit): boolean {
  return !pattern.wholeOperation || (measure !== 'COST' && measure !== 'REQUESTS');
}

function measureOf<Measure>(plan: MeasurablePlan<Measure>, limit: BoundLimit): Measure {
  const { pattern, measure } = limit;
  const amount = amountOf(limit);
  return plan.measure(pattern.wholeOperation && amount === measure ? 'OPERATION' : pattern.matches, amount);
}

/** Calls and requests are found beside the cost of their fields. */
function amountOf({ measure }: BoundLimit): Amount {
  return measure === 'CALLS' || measure === 'REQUESTS' ? 'COST' : measure;
}

/** No pattern has a space. A whole operation has one measure for its calls, and one for each amount. */
function measureKey(limit: BoundLimit): string {
  return `${limit.pattern.text} ${amountOf(limit)}`;
}

function isBucket({ parameters }: BoundLimit): boolean {
  return parameters.algorithm === 'TOKEN_BUCKET' || parameters.algorithm === 'LEAKY_BUCKET';
}

/** Every coordinate the operation can resolve. */
function coordinatesOf(plan: MeasurablePlan<unknown>): string[] {
  const coordinates = new Set<string>();
  plan.measure((coordinate) => {
    coordinates.add(coordinate);
    return false;
  });
  return [...coordinates];
}

/** More than its limit ever holds, so that it is denied whatever is left. */
export function isImpossible({ cost, mode, capacity, amount }: LimitCharge): boolean {
  return mode !== 'SHADOW' && cost > Number(capacity ?? amount);
}

interface Limited {
  limits: readonly BoundLimit[];
  charges: readonly LimitCharge[];
}

/** Under this name a decision says that an operation was refused for the number of its limits. */
export const LIMITS_PER_OPERATION = 'limits-per-operation';

export function isTooLarge({ charges }: Limited): boolean {
  return charges.length > MAX_LIMITS;
}

/**
 * What of too many limits one charge takes: all that are enforced, the tier's bucket, and the first of the shadows while
 * there is room. Shadows never deny, so they must not be why an operation is refused.
 */
export function withoutExcessShadows<Kept extends Limited>(all: Kept): Pick<Kept, keyof Limited> {
  const isBound = (index: number) => all.charges[index]?.mode !== 'SHADOW' || all.limits[index]?.rule === undefined;
  let room = MAX_LIMITS - all.charges.filter((_, index) => isBound(index)).length;
  const kept = new Set([...all.charges.keys()].filter((index) => isBound(index) || room-- > 0));
  return {
    limits: all.limits.filter((_, index) => kept.has(index)),
    charges: all.charges.filter((_, index) => kept.has(index)),
  };
}

/** The error of an operation that is under more enforced limits than can be charged together, or not at all. */
export function tooManyLimitsError({ charges }: Limited, detail: AnswerDetail = 'FULL'): GraphQLError {
  if (detail === 'NONE')
    return errorOf('TOO_MANY_LIMITS', `${ERRORS.TOO_MANY_LIMITS.message}: ask for its fields in several operations`);
  return errorOf(
    'TOO_MANY_LIMITS',
    `${ERRORS.TOO_MANY_LIMITS.message}: at least ${charges.length} limits apply to it, and at most ${MAX_LIMITS} are charged together; ask for its fields in several operations`,
    { extensions: { limits: charges.length, maximumLimits: MAX_LIMITS } },
  );
}
