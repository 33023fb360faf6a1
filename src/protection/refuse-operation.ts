import type { GraphQLError } from 'graphql';
import type { Decision } from '../limiter/charge/decision.js';
import { denialError, maxCostError } from './answer/denial-error.js';
import { outcomesOf } from './answer/limit-outcome.js';
import type { Purchase } from './batch.js';
import { isImpossible, isTooLarge, LIMITS_PER_OPERATION, tooManyLimitsError } from './bind-charges.js';
import { type CeilingUse, findExceededCeiling, type RequestedAmounts } from './ceilings.js';
import { denierOf, isPaidByRefusals } from './fee.js';
import type { PricedOperation } from './price-operation.js';
import { type DecidingProtection, recordDecision } from './record-decision.js';

type Denied = Extract<Decision, { admitted: false }>;

/**
 * Returns why an operation that has a price and was not validated does not pass: it never can, and has paid for that; or the denial
 * memory says that a limit denies it. Undefined where it may pass.
 */
export async function refuseUnvalidated(
  protection: DecidingProtection,
  priced: PricedOperation,
): Promise<GraphQLError | undefined> {
  const { limiter } = protection;
  const { subject } = priced;
  const { limits, charges, pool } = priced.bound;
  const refused = refuseByPrice(protection, priced, { limits, charges, pool, requested: priced.requested });
  if (refused) return refused;
  const asked = { subject, limits: charges, pool: pool?.name };
  const isDenied = charges.some(isImpossible) || (limiter.knowsDenials && limiter.refuses(asked));
  if (!isDenied) return undefined;
  const decision = await limiter.charge(asked);
  if (decision.admitted) {
    // Tokens have come back since, or Redis is away and its limits are open: the document is validated first.
    await limiter.settle(decision.receipt, Object.fromEntries(charges.map(({ id }) => [id, 0])));
    return undefined;
  }
  priced.decision = decision;
  priced.states = decision.limits;
  return refuseDenied(protection, priced, decision, { charges, pool });
}

/** What can never pass, whatever its limits have left. */
export function refuseByPrice(
  protection: DecidingProtection,
  priced: PricedOperation,
  { limits, charges, requested, pool }: Purchase,
): Promise<GraphQLError> | undefined {
  if (isTooLarge({ limits, charges })) return refuseTooLarge(protection, priced, { limits, charges, pool });
  const exceeded = exceededCeiling(protection, priced, requested);
  return exceeded && refuseTooExpensive(protection, priced, exceeded, { limits, pool });
}

/** The error of what a limit has denied. */
export async function refuseDenied(
  protection: DecidingProtection,
  priced: PricedOperation,
  decision: Denied,
  { charges, pool }: Pick<Purchase, 'charges' | 'pool'>,
): Promise<GraphQLError> {
  const { limits } = priced;
  const outcomes = outcomesOf(limits, decision.limits);
  if (decision.code === 'COST_EXCEEDS_CAPACITY') {
    const unpaid = await payFee(protection, priced, { limits, pool });
    if (unpaid) return unpaid;
  }
  const denial = decision.code === 'COST_EXCEEDS_CAPACITY' ? 'MAX_COST_EXCEEDED' : decision.code;
  recordDecision(protection, priced, denial, denierOf(decision.deniedBy, outcomes));
  return denialError({
    decision,
    outcomes,
    costOf: (id) => charges.find((charge) => charge.id === id)?.cost ?? 0,
    mostExpensivePaths: () => priced.plan.mostExpensivePaths(),
    denialStatus: protection.denialStatus,
    detail: priced.detail,
  });
}

/** Some limits would be charged and others not: none is, and the operator is warned. */
async function refuseTooLarge(
  protection: DecidingProtection,
  priced: PricedOperation,
  asked: Pick<Purchase, 'limits' | 'charges' | 'pool'>,
): Promise<GraphQLError> {
  const limits = asked.limits.filter(isPaidByRefusals);
  const denial = await payFee(protection, priced, { limits, pool: asked.pool });
  if (denial) return denial;
  recordDecision(protection, priced, 'MAX_COST_EXCEEDED', LIMITS_PER_OPERATION);
  protection.onTooManyLimits(asked.charges.length);
  return tooManyLimitsError(asked, priced.detail);
}

/** Above what the tier lets one operation cost. */
function exceededCeiling(
  { mode }: DecidingProtection,
  { tier, validateOnly }: PricedOperation,
  requested: RequestedAmounts,
): CeilingUse | undefined {
  if (mode !== 'ENFORCE' || validateOnly) return undefined;
  return findExceededCeiling(tier, requested);
}

/** Only the fee is charged, but the answer still says what is left. */
async function refuseTooExpensive(
  protection: DecidingProtection,
  priced: PricedOperation,
  { amount, requested, maximum }: CeilingUse,
  { limits, pool }: Pick<Purchase, 'limits' | 'pool'>,
): Promise<GraphQLError> {
  const denial = await payFee(protection, priced, { limits, pool });
  if (denial) return denial;
  const deniedBy = `tier:${priced.tier.name}`;
  recordDecision(protection, priced, 'MAX_COST_EXCEEDED', deniedBy);
  return maxCostError({
    measure: amount,
    requested,
    maximum,
    deniedBy,
    mostExpensivePaths: () => priced.plan.mostExpensivePaths(),
    detail: priced.detail,
  });
}

/**
 * What can never pass pays the fee, as what never gets a price does: it was parsed, validated and priced. Resolves to the
 * answer of those who cannot pay it.
 */
async function payFee(
  protection: DecidingProtection,
  priced: PricedOperation,
  { limits, pool }: Pick<Purchase, 'limits' | 'pool'>,
): Promise<GraphQLError | undefined> {
  const { chargeFee, ruleset } = protection;
  const { subject, client, detail } = priced;
  const refused = { limits, pool: pool?.name };
  const { parts, states, denial, deniedBy } = await chargeFee({
    ruleset: ruleset(),
    subject,
    client,
    detail,
    refused,
  });
  priced.fee = parts;
  priced.limits = limits;
  priced.states = states;
  if (denial) {
    const code = denial.extensions['code'] === 'UNAVAILABLE' ? 'UNAVAILABLE' : 'THROTTLED';
    recordDecision(protection, priced, code, deniedBy);
  }
  return denial;
}
