import type { GraphQLError } from 'graphql';
import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import type { Decision } from '../limiter/charge/decision.js';
import type { ProtectionLimiter } from '../limiter/create-limiter.js';
import type { AskedBy } from '../model/asked-by.js';
import { type LimitState, largestCharge } from '../model/limit-parameters.js';
import type { AnswerDetail, Tier } from '../model/rule.js';
import { hasScope, rootOf, type Subject } from '../model/subject.js';
import type { UsageRecord } from '../model/usage-record.js';
import { isAgent } from '../rules/matching/caller-classes.js';
import type { PoolFinder } from '../rules/matching/pool-finder.js';
import type { BoundLimit, BoundRuleset, Ruleset } from '../rules/matching/ruleset.js';
import type { Clock } from '../runtime/clock.js';
import type { AnswerParts } from './answer/cost-extension.js';
import { denialError } from './answer/denial-error.js';
import { type LimitOutcome, outcomesOf, outcomesToReport } from './answer/limit-outcome.js';
import { type BoundCharges, costsOfNothing, idleCharge } from './charge-binder.js';
import { DENIAL_VERDICTS } from './denial-verdicts.js';
import { ChargedLimit } from './recorded-operation.js';

interface FeeOptions {
  limiter: Pick<ProtectionLimiter, 'charge' | 'settle' | 'peek' | 'denies' | 'knowsDenials' | 'pools' | 'clockAheadMs'>;
  /** Flat fee in whole tokens; 0 charges nothing. */
  fee: number;
  mode: 'ENFORCE' | 'SHADOW';
  denialStatus: 429 | 200;
  /**
   * Pools with a Redis of their own. Rejected requests of their callers use them too. @default none
   */
  poolFinder?: PoolFinder | undefined;
  /** Clock of the records and denials, in epoch milliseconds. @default Date.now */
  now?: Clock;
  /** Receives the record of every fee that was charged or denied. Must not throw. */
  onAnswer?: ((record: UsageRecord) => void) | undefined;
}

/** Result of charging a fee. */
export interface FeeOutcome {
  parts: AnswerParts;
  /** States of the limits after the charge, in the order in which they were charged. */
  states: readonly LimitState[];
  /**
   * Error of the denial if the caller has too few tokens for the fee. It replaces the errors of the
   * response.
   */
  denial: GraphQLError | undefined;
  /** Name of the limit that denied the fee, for the operator. The denial itself may omit it. */
  deniedBy?: string;
}

/** Request to charge the fee to a caller. */
export interface FeeRequest {
  ruleset: Ruleset;
  subject: Subject;
  client?: string | undefined;
  isAgentClient?: boolean | undefined;
  /** Set if another server executes the caller's operations. */
  askedBy?: AskedBy | undefined;
  /** Level of detail of the response. @default the detail of the tier */
  detail?: AnswerDetail | undefined;
  /** Fee in whole tokens. @default the flat fee */
  amount?: number | undefined;
  /**
   * Limits and pool of a priced operation that can never be admitted. The response then reports all
   * these limits, with their states in the Redis of the pool.
   * @default none: the response to a request without a price reports only the limits that the fee
   * charges
   */
  impossible?: { limits: readonly BoundLimit[]; pool: string | undefined } | undefined;
  /**
   * Whether to refund the fee, without recording it, if the caller can pay it. Used to check
   * whether a remembered denial still applies.
   * @default false
   */
  refundIfPaid?: boolean | undefined;
}

/**
 * Charges the flat fee of a rejection, so that floods of rejected requests are not free. Rejections
 * are caused by syntax errors, unknown fields, invalid variables, and operations that can never be
 * admitted. The fee is charged to the buckets and budgets of the caller's tier and API key. The
 * rejection also counts as one request of the caller's address.
 */
export interface ChargeFee {
  (request: FeeRequest): Promise<FeeOutcome>;
  /**
   * Returns whether every request of the caller is known to be denied, regardless of its operation.
   * This is known only if the limits that a rejection charges have too little left for the fee and
   * for the cheapest operation. In addition, no rule for whole operations may depend on their
   * name, type or registration.
   */
  isDenied(request: Pick<FeeRequest, 'ruleset' | 'subject' | 'client' | 'isAgentClient'>, leastCost: number): boolean;
}

export function createFee(options: FeeOptions): ChargeFee {
  const { limiter, fee, mode, denialStatus, poolFinder, now = Date.now, onAnswer } = options;
  const bound = new WeakMap<Ruleset, Map<Tier, BoundRuleset>>();

  /**
   * Returns the limits of an unnamed operation without fields. They are cached, because binding
   * reads all rules.
   */
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

  function limitsOf({ ruleset, subject, ...request }: FeeRequest, tier: Tier): readonly BoundLimit[] {
    const { client, isAgentClient } = request;
    const all = boundOf(ruleset, tier).select({ subject, root: rootOf(subject), client, isAgentClient });
    return all.filter((limit) => isPaidByRejections(limit) && hasScope(subject, limit.scope));
  }

  async function chargeFee(request: FeeRequest): Promise<FeeOutcome> {
    const { ruleset, subject, impossible } = request;
    const tier = ruleset.tier(subject.tier);
    const limits = impossible?.limits ?? limitsOf(request, tier);
    const charges = feeCharges(limits, { fee: request.amount ?? fee, mode });
    const cost = charges[limits.findIndex(paysTokens)]?.cost ?? 0;
    const pool = impossible ? impossible.pool : poolFinder?.ofRejections({ subject, tier: tier.name })?.name;
    const asked = { subject, limits: charges, pool };
    const { detail = tier.answer } = request;
    const parts = { detail, requestedCost: 0, actualCost: 0, tier, mode };
    if (charges.every((charge) => charge.cost === 0)) {
      const states = await limiter.peek(asked);
      const outcomes = outcomesToReport(detail, limits, states);
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
      await limiter.settle(decision.receipt, costsOfNothing({ charges }));
      return { parts: { ...parts, degraded, clockAheadMs, outcomes: [] }, states: decision.limits, denial: undefined };
    }
    // If the caller of a priced operation cannot pay the fee, `payFee` of decide-operation.ts
    // records the denial instead.
    if (admitted || !impossible)
      onAnswer?.(unpricedRecord(request, { atMs: now(), tier, cost, charges, decision, outcomes }));
    const states = decision.limits;
    const deniedBy = admitted ? undefined : decision.deniedBy;
    const reported = outcomesToReport(detail, limits, states, deniedBy);
    const paid = { ...parts, degraded, clockAheadMs, outcomes: reported, deniedBy, fee: admitted ? cost : 0 };
    if (admitted) return { parts: paid, states, denial: undefined };
    const costOf = (id: string) => charges.find((charge) => charge.id === id)?.cost ?? 0;
    const denial = denialError({
      decision,
      outcomes,
      costOf,
      mostExpensivePaths: () => [],
      nowMs: now(),
      denialStatus,
      detail,
      isFloor: !impossible,
    });
    return { parts: paid, states, denial, deniedBy: denierOf(decision.deniedBy, outcomes) };
  }

  return Object.assign(chargeFee, {
    isDenied(request: FeeRequest, leastCost: number): boolean {
      const { ruleset, subject } = request;
      if (mode === 'SHADOW' || !limiter.knowsDenials || dependsOnOperation(ruleset)) return false;
      // Each pool has separate counters, and the pool is unknown until the operation is priced.
      if (limiter.pools.length > 1) return false;
      const limits = limitsOf(request, ruleset.tier(subject.tier));
      return limiter.denies({ subject, limits: feeCharges(limits, { fee: Math.min(fee, leastCost), mode }) });
    },
  });
}

const apart = new WeakMap<Ruleset, boolean>();

/**
 * Returns whether any rule for whole operations depends on the name, the type or the registration of
 * the operation. Such a rule may exempt its operations from another rule.
 */
function dependsOnOperation(ruleset: Ruleset): boolean {
  let found = apart.get(ruleset);
  if (found === undefined) {
    found = ruleset.rules.some(
      ({ field, match: { operationNames, operationTypes, document, apps, appVersions } }) =>
        field === '*' && (document || [operationNames, operationTypes, apps, appVersions].some((list) => list?.length)),
    );
    apart.set(ruleset, found);
  }
  return found;
}

interface ChargedFee {
  atMs: number;
  tier: Tier;
  cost: number;
  charges: readonly LimitCharge[];
  decision: Decision;
  outcomes: readonly LimitOutcome[];
}

/** Returns the record of a rejected request, or of a denied connection. */
export function unpricedRecord(
  { subject, client, isAgentClient, askedBy }: Pick<FeeRequest, 'subject' | 'client' | 'isAgentClient' | 'askedBy'>,
  { atMs, tier, cost, charges, decision, outcomes }: ChargedFee,
): UsageRecord {
  const verdict = decision.admitted ? undefined : DENIAL_VERDICTS[decision.code];
  // Even if the fee exceeds the capacity of a limit, the operation itself is not too expensive.
  const denial = verdict === 'MAX_COST_EXCEEDED' ? 'THROTTLED' : verdict;
  return {
    atMs,
    durationMs: 0,
    subject,
    tier: tier.name,
    operationType: 'UNPRICED',
    operationName: undefined,
    client,
    isAgent: isAgent({ subject, isAgentClient }),
    askedBy,
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

/**
 * Returns the name of the rule or tier bucket whose limit has this id.
 * @param id `deniedBy` of a decision
 */
export function denierOf(id: string, outcomes: readonly LimitOutcome[]): string {
  return outcomes.find(({ state }) => state.id === id)?.limit.ruleName ?? id;
}

/** Returns the charges of a rejection for these limits: the fee, one request, or nothing. */
export function feeCharges(
  limits: readonly BoundLimit[],
  { fee, mode }: Pick<FeeOptions, 'fee' | 'mode'>,
): LimitCharge[] {
  return limits.map((limit) => {
    const { maxDelayMs: _never, ...charge } = idleCharge(limit);
    if (mode === 'SHADOW') charge.mode = 'SHADOW';
    // A fee above the capacity could never be paid, and the response would report that the fee is
    // too expensive.
    if (paysTokens(limit)) charge.cost = Math.min(fee, largestCharge(limit.parameters) ?? fee);
    else if (countsRejections(limit)) charge.cost = 1;
    return charge;
  });
}

/**
 * Returns whether a rejection charges a limit: a limit of the tier or the API key, or a limit on
 * the requests of the caller's address.
 */
export function isPaidByRejections(limit: BoundLimit): boolean {
  return paysTokens(limit) || countsRejections(limit);
}

/**
 * Reduces the charges of an operation that is priced but not run, to the limits that a rejection
 * charges. The buckets are charged the minimum cost instead of the fee.
 */
export function keepToMinimum(bound: BoundCharges, minimumCost: number): BoundCharges {
  const limits = bound.limits.filter(isPaidByRejections);
  const costs = new Map(limits.map((limit) => [limit.id, paysTokens(limit) ? minimumCost : 1]));
  const charges = bound.charges.flatMap((charge) => {
    const cost = costs.get(charge.id);
    return cost === undefined ? [] : { ...charge, cost };
  });
  return { ...bound, limits, charges };
}

/**
 * Returns whether a limit is one of the tier or of the API key. Without the latter, a key
 * without tokens could use up its holder's tokens by invalid requests.
 */
function paysTokens({ rule }: BoundLimit): boolean {
  return rule === undefined;
}

/** Returns whether a limit counts all requests of an address, including the rejected ones. */
function countsRejections({ scope, measure, pattern, parameters }: BoundLimit): boolean {
  return (
    scope === 'IP' &&
    measure === 'REQUESTS' &&
    pattern.wholeOperation &&
    // A rejected request does not run, so nothing would release its slot before `leaseMs` ends.
    parameters.algorithm !== 'CONCURRENCY'
  );
}
