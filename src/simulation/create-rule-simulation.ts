import { setImmediate } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import type { Decision } from '../limiter/charge/decision.js';
import { createLimiter, type Limiter } from '../limiter/create-limiter.js';
import type { RegionOptions } from '../model/region-mode.js';
import type { Rule } from '../model/rule.js';
import { rootOf } from '../model/subject.js';
import { RECORDED_AMOUNTS } from '../model/usage-record.js';
import { sumOf } from '../protection/batch-place.js';
import { actualCosts, type BoundCharges, createChargeBinder } from '../protection/charge-binder.js';
import { feeCharges, isPaidByRejections } from '../protection/charge-fee.js';
import { findExceededCeiling, type RequestedAmounts } from '../protection/requested-amounts.js';
import { isTooLarge } from '../protection/too-many-limits-error.js';
import { findRuleWarnings } from '../rules/matching/find-rule-warnings.js';
import { followTimes } from '../rules/matching/follow-times.js';
import { createKnownFields } from '../rules/matching/known-fields.js';
import type { PoolFinder } from '../rules/matching/pool-finder.js';
import { createRuleset, type Ruleset } from '../rules/matching/ruleset.js';
import { idOnceStored } from '../rules/policy/draft-id.js';
import type { LoggedDecision } from '../usage/query/read-decisions.js';
import type { TimeRange } from '../usage/query/time-range.js';
import { createTally, type SimulationResult } from './create-tally.js';
import { type CompletedDecision, createTypicalOutcomes } from './create-typical-outcomes.js';
import { createFieldReach } from './field-reach.js';
import { type RecordedDecision, type ReplayedVerdict, toRecorded } from './recorded-decision.js';
import { createRecordedPlan, type RecordedPlan, type RecordedSelection } from './recorded-plan.js';
import { createSimulatedRegions, type SimulatedRegions } from './simulated-regions.js';

interface SimulationRequest {
  /** Draft of a rule. It has the id of the stored rule that it replaces, or `DRAFT_ID`. */
  rule: Rule;
  range: TimeRange;
  /** Start of the warm-up. Decisions from this time until the range only fill the counters. */
  warmUpFrom: Date;
  /** Maximum number of decisions, counted from the start of the warm-up. */
  limit: number;
}

interface Simulation extends SimulationResult {
  /** Time of the last decision that was read. Null if there was none. */
  until: Date | null;
  /** Whether the maximum number of decisions was read, so that later ones may be missing. */
  isTruncated: boolean;
  /**
   * Number of decisions of the range that are not replayed. Their records lack data that the draft
   * depends on: the counted amount, whether the caller was an agent, or the registered document.
   */
  leftOut: number;
  /**
   * Warnings about the draft, for example that it never applies, or that another rule would stop
   * applying.
   */
  warnings: string[];
}

export interface SimulationSources {
  schema: GraphQLSchema;
  /** Returns the rules in force. */
  ruleset(): Ruleset;
  /**
   * Reads the log: decisions of a range, oldest first, in pages.
   * @param readsAnchors whether callers who are recorded without a billing anchor get their stored one
   */
  decisions(range: TimeRange, limit: number, readsAnchors: boolean): AsyncIterable<readonly LoggedDecision[]>;
  /** Finder of the Redis pool of an operation. Each pool has its own counters. @default none */
  poolFinder?: PoolFinder | undefined;
  /** Region of this process, and the shares of all regions. @default limits are not split */
  region?: RegionOptions | undefined;
  /** Fee of an operation that can never be admitted, in tokens. */
  fee: number;
}

/**
 * Maximum number of cached plans. When it is reached, the cache is cleared, and plans are created
 * again.
 */
const MAX_PLANS = 10_000;
/** Maximum time for which a replay may delay requests, in milliseconds. */
const TURN_MS = 5;

function dependsOnAnchors({ limits }: Rule): boolean {
  return limits.some(({ anchor }) => anchor === 'SUBJECT');
}

/** Returns warnings about the differences between simulated and actual calendar windows. */
function calendarWarnings({ limits }: Rule): string[] {
  if (!limits.some(({ algorithm }) => algorithm === 'CALENDAR_WINDOW')) return [];
  return ['the periods of the calendar start unused in a simulation: usage before its range does not count'];
}

/**
 * Creates a simulation that replays recorded decisions, in their order and at their recorded times.
 * It replays each of them twice: with the rules in force, and with the draft added. Rules are
 * matched, costs assigned to limits, and limits charged by the same code as for requests. The
 * counters are in memory and start empty.
 */
export function createRuleSimulation({ schema, ruleset, decisions, poolFinder, region, fee }: SimulationSources) {
  const regions = region && createSimulatedRegions(region);
  const reach = createFieldReach(schema);
  const fields = createKnownFields([schema]);

  return async ({ rule, range, warmUpFrom, limit }: SimulationRequest): Promise<Simulation> => {
    const current = ruleset();
    const others = current.rules.filter(({ id }) => id !== rule.id);
    const { tiers, version } = current;
    // A rule in the mode `OFF` or `SHADOW` is tested as if it were enforced.
    const draft: Rule = { ...rule, id: idOnceStored(rule, others), mode: 'ENFORCE' };
    const clock = { ms: 0 };
    const planOf = createPlans(reach);
    const among = [...others, draft];
    const found = findRuleWarnings({ rules: [draft], among, tiers, fields, before: current.rules });
    const warnings = [
      ...found.map(({ message }) => message),
      ...calendarWarnings(draft),
      ...(regions?.warningsOf(draft) ?? []),
    ];
    const world = { clock, poolFinder, regions, fee };
    const before = createWorld(current, world);
    const after = createWorld(createRuleset({ tiers, version, rules: among }), world);
    const typical = createTypicalOutcomes();
    const tally = createTally();

    async function decide(group: readonly RecordedDecision[]): Promise<void> {
      const { atMs } = group[0]!;
      await before.advance(atMs);
      await after.advance(atMs);
      const replayed = group.map((decision) => typical.complete(decision));
      const was = await before.decide(replayed, planOf, draft.id);
      const is = await after.decide(replayed, planOf, draft.id);
      for (const decision of group) {
        typical.learn(decision);
        if (decision.atMs >= range.from.getTime()) tally.add(decision, was, is, regions?.regionOf(decision.region));
      }
    }

    let group: RecordedDecision[] = [];
    let seen = 0;
    let leftOut = 0;
    const needsAmounts = RECORDED_AMOUNTS.some((amount) => amount === draft.measure);
    const { document: kind, apps, appVersions } = draft.match;
    const needsDocument = kind !== undefined || apps !== undefined || appVersions !== undefined;
    let until: Date | null = null;
    let turnMs = performance.now();
    const readsAnchors = among.some(dependsOnAnchors) || tiers.some(({ budget }) => budget?.anchor === 'SUBJECT');
    for await (const page of decisions({ from: warmUpFrom, to: range.to }, limit, readsAnchors)) {
      for (const decision of page.map(toRecorded)) {
        const lacksAmounts = needsAmounts && decision.estimatedAmounts === null;
        const lacksAgent = draft.match.agents && decision.agent === null;
        if (lacksAmounts || lacksAgent || (needsDocument && decision.document === null)) {
          if (decision.atMs >= range.from.getTime()) leftOut++;
          continue;
        }
        if (group.length > 0 && (decision.batch === null || decision.batch !== group[0]!.batch)) {
          await decide(group);
          group = [];
        }
        group.push(decision);
        // A replay has thousands of decisions, so it pauses regularly to let requests run.
        if (performance.now() - turnMs < TURN_MS) continue;
        await setImmediate();
        turnMs = performance.now();
      }
      seen += page.length;
      until = page.at(-1)?.at ?? until;
    }
    if (group.length > 0) await decide(group);
    return { ...tally.result(), until, isTruncated: seen >= limit, leftOut, warnings };
  };
}

/** Creates a replay under one ruleset at recorded times, with its own limiter for each pool and region. */
function createWorld(
  rules: Ruleset,
  {
    clock,
    poolFinder,
    regions,
    fee,
  }: Pick<SimulationSources, 'poolFinder' | 'fee'> & {
    clock: { ms: number };
    regions: SimulatedRegions | undefined;
  },
) {
  const rulesetNow = followTimes(
    () => rules,
    () => clock.ms,
  );
  const limiters = new Map<string, Limiter>();
  const binder = createChargeBinder<RecordedSelection>({ mode: 'ENFORCE', poolFinder });
  /** Pending settlements, latest first. */
  const pending: { atMs: number; settle: () => Promise<void> }[] = [];

  function settleLater(atMs: number, settle: () => Promise<void>): void {
    let place = pending.length;
    while (place > 0 && pending[place - 1]!.atMs <= atMs) place--;
    pending.splice(place, 0, { atMs, settle });
  }

  function limiterOf(pool: string | undefined, recordedRegion: string | null): Limiter {
    const region = regions?.optionOf(regions.regionOf(recordedRegion));
    // A slash separates the names: the name of a region contains none.
    const key = `${region?.name ?? ''}/${pool ?? ''}`;
    const limiter = limiters.get(key) ?? createLimiter({ now: () => clock.ms, ...(region && { region }) });
    limiters.set(key, limiter);
    return limiter;
  }

  const inRegion = (charges: readonly LimitCharge[]) => (regions ? charges.map(regions.chargeOf) : charges);

  return {
    /**
     * Advances the clock to a time. Operations that end before or at this time are settled, each at
     * the time of its end.
     */
    async advance(atMs: number): Promise<void> {
      while (pending.length > 0 && pending.at(-1)!.atMs <= atMs) {
        const next = pending.pop()!;
        clock.ms = next.atMs;
        await next.settle();
      }
      clock.ms = atMs;
    },

    /** Charges the operations of a group together, as they were charged originally. */
    async decide(
      group: readonly CompletedDecision[],
      planOf: (decision: RecordedDecision) => RecordedPlan,
      ruleId: string,
    ): Promise<ReplayedVerdict> {
      const { subject, atMs } = group[0]!;
      const ruleset = rulesetNow();
      const tier = ruleset.tier(subject.tier);
      const purchases = group.map((decision) => {
        const { operationType: type, operationName: name, client, agent, estimatedCost, estimatedFields } = decision;
        const { estimatedAmounts, document } = decision;
        const plan = planOf(decision);
        const request = {
          measure: (selection: RecordedSelection) => plan.measured(selection, estimatedFields, estimatedAmounts),
        };
        const ofRequest = { client, isAgentClient: agent ?? false, document: document ?? undefined };
        const facts = { subject, root: rootOf(subject), ...ofRequest };
        const bound = binder.bind(plan, request, estimatedCost, ruleset, tier, { type, name }, facts);
        return { ...bound, requested: requestedOf(decision), decision, plan };
      });
      const { limits, charges, requested, pool } = purchases.length === 1 ? purchases[0]! : sumOf(purchases);
      const limiter = limiterOf(pool?.name, group[0]!.region);
      const deniesByRule = (decision: Decision) => {
        const violatedIds = new Set(decision.limits.filter(({ violated }) => violated).map(({ id }) => id));
        return limits.some(({ id, rule }) => rule?.id === ruleId && violatedIds.has(id));
      };
      /** Charges each operation the fee of operations that can never be admitted. */
      const deny = async (deniedByRule: boolean): Promise<ReplayedVerdict> => {
        const paid = inRegion(feeCharges(limits.filter(isPaidByRejections), { fee, mode: 'ENFORCE' }));
        let byRule = deniedByRule;
        for (const _one of group) byRule = deniesByRule(await limiter.charge({ subject, limits: paid })) || byRule;
        return { admitted: false, deniedByRule: byRule, delayMs: 0 };
      };
      if (findExceededCeiling(tier, requested) || isTooLarge({ limits, charges })) return deny(false);
      // The clock of a replay advances only to the times of records, so operations cannot wait for slots.
      const decision = await limiter.charge({ subject, limits: inRegion(charges), wait: false });
      if (!decision.admitted) {
        const deniedByRule = deniesByRule(decision);
        if (decision.code === 'COST_EXCEEDS_CAPACITY') return deny(deniedByRule);
        return { admitted: false, deniedByRule, delayMs: 0 };
      }
      if (group.every(({ actualCost }) => actualCost !== null)) {
        const actual: Record<string, number> = {};
        for (const { decision: one, plan, ...bound } of purchases) {
          const own = actualOf(bound, one, plan);
          for (const { id, cost } of bound.charges) actual[id] = (actual[id] ?? 0) + (own[id] ?? cost);
        }
        const durationMs = Math.max(...group.map((one) => one.durationMs));
        settleLater(atMs + durationMs, () => limiter.settle(decision.receipt, actual));
      }
      return { admitted: true, deniedByRule: false, delayMs: decision.delayMs };
    },
  };
}

/** Returns the amounts that the ceilings of tiers limit. */
function requestedOf({ estimatedCost, estimatedAmounts }: RecordedDecision): RequestedAmounts {
  const amounts = RECORDED_AMOUNTS.map((amount, index) => [amount, estimatedAmounts?.[index] ?? 0]);
  return { COST: estimatedCost, ...Object.fromEntries(amounts) };
}

function actualOf(
  bound: Pick<BoundCharges<RecordedSelection>, 'limits' | 'indexes' | 'measures'>,
  { actualCost, actualFields, actualAmounts, ran }: CompletedDecision,
  plan: RecordedPlan,
): Record<string, number> {
  // An operation that was admitted and did not run got a full refund.
  if (!ran) return Object.fromEntries(bound.limits.map(({ id }) => [id, 0]));
  const measures = bound.measures.map((measure) => plan.measured(measure, actualFields, actualAmounts));
  return actualCosts(bound, { cost: actualCost ?? 0, measures });
}

/**
 * Creates a cache of recorded plans. The key contains every property of a plan that rules depend
 * on.
 */
function createPlans(reach: ReturnType<typeof createFieldReach>): (decision: RecordedDecision) => RecordedPlan {
  const plans = new Map<string, RecordedPlan>();
  return ({ operationType, operationName, estimatedFields }) => {
    const coordinates = estimatedFields.map(({ coordinate }) => coordinate);
    const key = JSON.stringify([operationType, operationName, ...coordinates]);
    const known = plans.get(key);
    if (known) return known;
    if (plans.size >= MAX_PLANS) plans.clear();
    const made = createRecordedPlan(coordinates, reach);
    plans.set(key, made);
    return made;
  };
}
