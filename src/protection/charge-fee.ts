import type { GraphQLError } from 'graphql';
import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import type { Decision } from '../limiter/charge/decision.js';
import type { ProtectionLimiter } from '../limiter/create-limiter.js';
import type { LimitState } from '../model/limit-parameters.js';
import type { AnswerDetail, Tier } from '../model/rule.js';
import { hasScope, rootOf, type Subject } from '../model/subject.js';
import type { UsageRecord } from '../model/usage-record.js';
import type { PoolFinder } from '../rules/matching/pool-finder.js';
import type { BoundLimit, BoundRuleset, Ruleset } from '../rules/matching/ruleset.js';
import type { AnswerParts } from './answer/cost-extension.js';
import { denialError } from './answer/denial-error.js';
import { type LimitOutcome, outcomesOf, outcomesToTell } from './answer/limit-outcome.js';
import { type BoundCharges, idleCharge } from './charge-binder.js';
import { ChargedLimit } from './recorded-operation.js';

interface FeeOptions {
  limiter: Pick<
    ProtectionLimiter,
    'charge' | 'settle' | 'peek' | 'refuses' | 'knowsDenials' | 'pools' | 'clockAheadMs'
  >;
  /** Whole tokens; 0 charges nothing. */
  fee: number;
  mode: 'ENFORCE' | 'SHADOW';
  denialStatus: 429 | 200;
  /** Which callers have a Redis of their own, also for what is no operation. @default none */
  poolFinder?: PoolFinder | undefined;
  /** Is notified of every fee that was taken or denied; must not throw. */
  onAnswer?: ((record: UsageRecord) => void) | undefined;
}

/** What came of a fee. */
export interface FeeOutcome {
  parts: AnswerParts;
  /** The limits as they are now, in the order asked. */
  states: readonly LimitState[];
  /** Set where the caller has nothing left to pay with: this is the answer then. */
  denial: GraphQLError | undefined;
  /** The name of the limit that denied it, for the operator: the denial itself may say nothing of it. */
  deniedBy?: string;
}

/** Who is to pay the fee. */
export interface FeeRequest {
  ruleset: Ruleset;
  subject: Subject;
  client?: string | undefined;
  /** What the answer says. @default what the tier's answers say */
  detail?: AnswerDetail | undefined;
  /** Whole tokens. @default the flat fee */
  amount?: number | undefined;
  /**
   * An operation that has a price and can never pass: all its limits are told of, by the Redis that decides for it.
   * @default what was never priced: it has no limits but those that are paid
   */
  refused?: { limits: readonly BoundLimit[]; pool: string | undefined } | undefined;
  /**
   * Asked because it is thought that it cannot be paid: what could be after all is refunded and not recorded, as nothing has been
   * refused.
   * @default false
   */
  refundIfPaid?: boolean | undefined;
}

/**
 * Takes the flat fee of a refusal (a syntax error, an unknown field, variables that do not fit, an operation that can never
 * pass) from the bucket of the caller's tier, and counts it as a request of their address, so that floods of refusals are not
 * free.
 */
export interface ChargeFee {
  (request: FeeRequest): Promise<FeeOutcome>;
  /**
   * Whether what was not priced yet is known to be denied, whatever it asks for: the fee cannot be paid, nor the least that an
   * operation costs, and no rule says otherwise of some operations.
   */
  isDenied(request: Pick<FeeRequest, 'ruleset' | 'subject' | 'client'>, leastCost: number): boolean;
}

export function createFee({ limiter, fee, mode, denialStatus, poolFinder, onAnswer }: FeeOptions): ChargeFee {
  const bound = new WeakMap<Ruleset, Map<Tier, BoundRuleset>>();

  /** What applies to an operation without a name that resolves nothing; bound once, as it reads all rules. */
  function boundOf(ruleset: Ruleset, tier: Tier): BoundRuleset {
    let byTier = bound.get(ruleset);
    if (byTier === undefined) {
      byTier = new Map();
      bound.set(ruleset, byTier);
    }
    let known = byTier.get(tier);
    if (known === undefined) {
      known = ruleset.bind(tier, { type: 'QUERY', name: undefined, coordinates: [] });
      byTier.set(tier, known);
    }
    return known;
  }

  function limitsOf({ ruleset, subject, client }: FeeRequest, tier: Tier): readonly BoundLimit[] {
    const all = boundOf(ruleset, tier).select({ subject, root: rootOf(subject), client });
    return all.filter((limit) => isPaidByRefusals(limit) && hasScope(subject, limit.scope));
  }

  async function chargeFee(request: FeeRequest): Promise<FeeOutcome> {
    const { ruleset, subject, client, refused } = request;
    const tier = ruleset.tier(subject.tier);
    const limits = refused?.limits ?? limitsOf(request, tier);
    const charges = feeCharges(limits, { fee: request.amount ?? fee, mode });
    const cost = charges[limits.findIndex(isTierBucket)]?.cost ?? 0;
    const pool = refused ? refused.pool : poolFinder?.ofRefusals({ subject, tier: tier.name })?.name;
    const asked = { subject, limits: charges, pool };
    const { detail = tier.answer } = request;
    const parts = { detail, requestedCost: 0, actualCost: 0, tier, mode };
    if (charges.every((charge) => charge.cost === 0)) {
      const states = await limiter.peek(asked);
      const outcomes = outcomesToTell(detail, limits, states);
      return {
        parts: { ...parts, degraded: false, clockAheadMs: limiter.clockAheadMs(pool, false), outcomes },
        states,
        denial: undefined,
      };
    }
    const decision = await limiter.charge(asked);
    const outcomes = outcomesOf(limits, decision.limits);
    const { degraded, admitted } = decision;
    const clockAheadMs = limiter.clockAheadMs(pool, degraded);
    if (admitted && request.refundIfPaid) {
      await limiter.settle(decision.receipt, Object.fromEntries(charges.map(({ id }) => [id, 0])));
      return { parts: { ...parts, degraded, clockAheadMs, outcomes: [] }, states: decision.limits, denial: undefined };
    }
    // Of an operation that could not pay, its own denial is what is told.
    if (admitted || !refused) onAnswer?.(recordOf({ subject, tier, client, cost, charges, decision, outcomes }));
    const states = decision.limits;
    const deniedBy = admitted ? undefined : decision.deniedBy;
    const told = outcomesToTell(detail, limits, states, deniedBy);
    const paid = { ...parts, degraded, clockAheadMs, outcomes: told, deniedBy, fee: admitted ? cost : 0 };
    if (admitted) return { parts: paid, states, denial: undefined };
    const costOf = (id: string) => charges.find((charge) => charge.id === id)?.cost ?? 0;
    const denial = denialError({
      decision,
      outcomes,
      costOf,
      mostExpensivePaths: () => [],
      denialStatus,
      detail,
      isFloor: !refused,
    });
    return { parts: paid, states, denial, deniedBy: denierOf(decision.deniedBy, outcomes) };
  }

  return Object.assign(chargeFee, {
    isDenied(request: FeeRequest, leastCost: number): boolean {
      const { ruleset, subject } = request;
      if (mode === 'SHADOW' || !limiter.knowsDenials || tellsOperationsApart(ruleset)) return false;
      // Operations of a pool have counters of their own.
      if (limiter.pools.length > 1) return false;
      const limits = limitsOf(request, ruleset.tier(subject.tier));
      return limiter.refuses({ subject, limits: feeCharges(limits, { fee: Math.min(fee, leastCost), mode }) });
    },
  });
}

const apart = new WeakMap<Ruleset, boolean>();

/** A rule for whole operations of some names or kinds may exempt them from what the others are under. */
function tellsOperationsApart(ruleset: Ruleset): boolean {
  let found = apart.get(ruleset);
  if (found === undefined) {
    found = ruleset.rules.some(
      ({ field, match }) => field === '*' && (match.operationNames?.length || match.operationTypes?.length),
    );
    apart.set(ruleset, found);
  }
  return found;
}

interface ChargedFee {
  subject: Subject;
  tier: Tier;
  client: string | undefined;
  cost: number;
  charges: readonly LimitCharge[];
  decision: Decision;
  outcomes: readonly LimitOutcome[];
}

function recordOf({ subject, tier, client, cost, charges, decision, outcomes }: ChargedFee): UsageRecord {
  const denial = decision.admitted ? undefined : decision.code === 'UNAVAILABLE' ? 'UNAVAILABLE' : 'THROTTLED';
  return {
    atMs: Date.now(),
    durationMs: 0,
    subject,
    tier: tier.name,
    operationType: 'UNPRICED',
    operationName: undefined,
    client,
    batchId: undefined,
    denial,
    deniedBy: decision.admitted ? undefined : denierOf(decision.deniedBy, outcomes),
    degraded: decision.degraded,
    estimatedCost: cost,
    actualCost: undefined,
    limits: outcomes
      .map((outcome, index) => new ChargedLimit(outcome, charges[index]!.cost, undefined))
      .filter(({ charge }) => charge > 0),
    fields: undefined,
  };
}

/** The rule, or the tier's bucket, that a decision names. */
export function denierOf(id: string, outcomes: readonly LimitOutcome[]): string {
  return outcomes.find(({ state }) => state.id === id)?.limit.ruleName ?? id;
}

/** What a refusal takes from each of these limits: the fee, a request, or nothing. */
export function feeCharges(
  limits: readonly BoundLimit[],
  { fee, mode }: Pick<FeeOptions, 'fee' | 'mode'>,
): LimitCharge[] {
  return limits.map((limit) => {
    const { maxDelayMs: _never, ...charge } = idleCharge(limit);
    if (mode === 'SHADOW') charge.mode = 'SHADOW';
    // More than fits could never be paid: the answer would be that the fee is too expensive.
    if (isTierBucket(limit)) charge.cost = Math.min(fee, limit.parameters.capacity ?? fee);
    else if (countsRefusals(limit)) charge.cost = 1;
    return charge;
  });
}

/** What a refusal is charged to: the bucket of the caller's tier, and the requests of their address. */
export function isPaidByRefusals(limit: BoundLimit): boolean {
  return isTierBucket(limit) || countsRefusals(limit);
}

/** For an operation that is priced and not run: it takes what a refusal takes, but for the minimum in place of the fee. */
export function keepToMinimum(bound: BoundCharges, minimumCost: number): BoundCharges {
  const limits = bound.limits.filter(isPaidByRefusals);
  const costs = new Map(limits.map((limit) => [limit.id, isTierBucket(limit) ? minimumCost : 1]));
  const charges = bound.charges.flatMap((charge) => {
    const cost = costs.get(charge.id);
    return cost === undefined ? [] : { ...charge, cost };
  });
  return { ...bound, limits, charges };
}

/** None for callers who are exempt from it. */
function isTierBucket({ rule }: BoundLimit): boolean {
  return rule === undefined;
}

/** A limit on the requests of an address, whatever they are: those that are refused are requests too. */
function countsRefusals({ scope, measure, pattern, parameters }: BoundLimit): boolean {
  return (
    scope === 'IP' &&
    measure === 'REQUESTS' &&
    pattern.wholeOperation &&
    // A slot would be held until its `leaseMs` ends: what is refused does not run.
    parameters.algorithm !== 'CONCURRENCY'
  );
}
