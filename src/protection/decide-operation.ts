import type { GraphQLError, OperationDefinitionNode } from 'graphql';
import type { Decision } from '../limiter/charge/decision.js';
import type { AskedBy } from '../model/asked-by.js';
import type { DecisionRecord } from '../model/decision-record.js';
import type { Subject } from '../model/subject.js';
import type { BoundLimit, UnknownRule } from '../rules/matching/ruleset.js';
import { denialError, maxCostError, unknownRuleError } from './answer/denial-error.js';
import { outcomesOf } from './answer/limit-outcome.js';
import { costsOfNothing, isImpossible } from './charge-binder.js';
import { denierOf, type FeeOutcome, isPaidByRejections } from './charge-fee.js';
import { DENIAL_VERDICTS } from './denial-verdicts.js';
import type { Operation } from './operation.js';
import { OPERATION_TYPES } from './price-operation.js';
import type { Protection } from './protection.js';
import { shadowDenials } from './recorded-operation.js';
import { type CeilingUse, findExceededCeiling } from './requested-amounts.js';
import { suggestSize } from './suggest-size.js';
import { isTooLarge, LIMITS_PER_OPERATION, tooManyLimitsError } from './too-many-limits-error.js';

/**
 * The part of a protection that decides. It does not depend on the context values of the server.
 */
type DecidingProtection = Omit<Protection<never>, 'identify' | 'abortSignal' | 'batchPlace'>;

/**
 * Applies the limiter's decision. Returns the error of a denied operation, and undefined for an
 * admitted one.
 */
export function decideOperation(
  protection: DecidingProtection,
  operation: Operation,
  decision: Decision,
): Promise<GraphQLError> | undefined {
  operation.decision = decision;
  operation.states = decision.limits;
  if (!decision.admitted) return deny(protection, operation, decision);
  protection.admittedPlans.add(operation.costPlan);
  recordDecision(protection, operation);
  return undefined;
}

/**
 * Decides an operation that was not validated. If it can never be admitted, charges the fee and
 * returns the error. If a remembered denial still applies to it, returns the error of the denial.
 * Returns undefined if it may be admitted.
 */
export async function decideUnvalidated(
  protection: DecidingProtection,
  operation: Operation,
): Promise<GraphQLError | undefined> {
  const { limiter } = protection;
  const rejected = rejectByPrice(protection, operation);
  if (rejected) return rejected;
  const { subject, charges, pool } = operation;
  const asked = { subject, limits: charges, pool: pool?.name };
  const isDenied = charges.some(isImpossible) || (limiter.knowsDenials && limiter.denies(asked));
  if (!isDenied) return undefined;
  // The document may be invalid, so the operation does not wait for a slot yet.
  const decision = await limiter.charge({ ...asked, wait: false });
  if (!decision.admitted) return decideOperation(protection, operation, decision);
  // Tokens were refilled since the denial, or Redis is unavailable and the fallback has admitted
  // the operation. The charge is refunded, because the document must be validated before its
  // operation is charged.
  await limiter.settle(decision.receipt, costsOfNothing({ charges }));
  return undefined;
}

/**
 * Rejects an operation that can never be admitted, regardless of the remaining amounts, and charges
 * the fee. Returns undefined if it may be admitted.
 */
export function rejectByPrice(protection: DecidingProtection, operation: Operation): Promise<GraphQLError> | undefined {
  return findRejection(protection, operation)?.();
}

/**
 * Returns the function that rejects an operation that can never be admitted, and charges the fee.
 * Returns undefined if the operation may be admitted.
 */
export function findRejection(
  protection: DecidingProtection,
  operation: Operation,
): (() => Promise<GraphQLError>) | undefined {
  if (isTooLarge(operation)) return () => rejectTooLarge(protection, operation);
  const { unknownRule } = operation;
  if (protection.mode !== 'ENFORCE' || operation.validateOnly) return undefined;
  if (unknownRule) return async () => denyAsUnknown(protection, operation, unknownRule);
  const exceeded = findExceededCeiling(operation.tier, operation.requested);
  return exceeded && (() => rejectTooExpensive(protection, operation, exceeded));
}

/**
 * Denies an operation to which a rule or a tier with unknown features applies. Nothing is charged:
 * the instance, not the caller, is the cause.
 */
function denyAsUnknown(
  protection: DecidingProtection,
  operation: Operation,
  { name, unknown }: UnknownRule,
): GraphQLError {
  recordDecision(protection, operation, 'UNAVAILABLE', name);
  return unknownRuleError(name, unknown, operation.detail);
}

async function deny(
  protection: DecidingProtection,
  operation: Operation,
  decision: Extract<Decision, { admitted: false }>,
): Promise<GraphQLError> {
  const { limits, charges, detail, plan } = operation;
  const outcomes = outcomesOf(limits, decision.limits);
  if (decision.code === 'COST_EXCEEDS_CAPACITY') {
    const unpaid = await payFee(protection, operation, limits);
    if (unpaid) return unpaid;
  }
  recordDecision(protection, operation, DENIAL_VERDICTS[decision.code], denierOf(decision.deniedBy, outcomes));
  return denialError({
    decision,
    outcomes,
    costOf: (id) => charges.find((charge) => charge.id === id)?.cost ?? 0,
    mostExpensivePaths: () => plan.mostExpensivePaths(),
    suggestion: () => suggestSize(protection, operation, operation.states, decision),
    states: operation.states,
    nowMs: protection.now(),
    denialStatus: protection.denialStatus,
    detail,
  });
}

/**
 * Rejects an operation with more limits than one charge can include, and charges only the fee. The
 * operator receives a warning.
 */
async function rejectTooLarge(protection: DecidingProtection, operation: Operation): Promise<GraphQLError> {
  const { limits, charges, detail } = operation;
  const denial = await payFee(protection, operation, limits.filter(isPaidByRejections));
  if (denial) return denial;
  recordDecision(protection, operation, 'MAX_COST_EXCEEDED', LIMITS_PER_OPERATION);
  protection.onTooManyLimits(charges.length);
  return tooManyLimitsError({ limits, charges }, detail);
}

/**
 * Rejects an operation above a ceiling of its tier. Only the fee is charged. The response still
 * reports the remaining amounts.
 */
async function rejectTooExpensive(
  protection: DecidingProtection,
  operation: Operation,
  { amount, requested, maximum }: CeilingUse,
): Promise<GraphQLError> {
  const { limits, tier, plan, detail } = operation;
  const denial = await payFee(protection, operation, limits);
  if (denial) return denial;
  const deniedBy = `tier:${tier.name}`;
  recordDecision(protection, operation, 'MAX_COST_EXCEEDED', deniedBy);
  return maxCostError({
    measure: amount,
    cost: requested,
    limit: maximum,
    remaining: maximum,
    deniedBy,
    mostExpensivePaths: () => plan.mostExpensivePaths(),
    suggestion: () => suggestSize(protection, operation, operation.states, undefined),
    detail,
  });
}

/**
 * Charges the fee of a priced operation that can never be admitted. Resolves to the denial if the
 * caller has too few tokens for the fee.
 */
async function payFee(
  protection: DecidingProtection,
  operation: Operation,
  limits: readonly BoundLimit[],
): Promise<GraphQLError | undefined> {
  const { subject, client, isAgentClient, askedBy, detail } = operation;
  const impossible = { limits, pool: operation.pool?.name };
  const ruleset = protection.ruleset();
  const paid = await protection.chargeFee({ ruleset, subject, client, isAgentClient, askedBy, detail, impossible });
  operation.fee = paid.parts;
  operation.limits = limits;
  operation.states = paid.states;
  if (paid.denial) {
    const isUndecided = ['UNAVAILABLE', 'UNDECIDED'].includes(String(paid.denial.extensions['code']));
    const code = isUndecided ? 'UNAVAILABLE' : 'THROTTLED';
    recordDecision(protection, operation, code, paid.deniedBy);
  }
  return paid.denial;
}

/**
 * Notifies observers that an operation was admitted or denied.
 * @param deniedBy name of the limit that denied it
 */
export function recordDecision(
  { mode, minimumCost, operations }: DecidingProtection,
  operation: Operation,
  denial?: DecisionRecord['denial'],
  deniedBy?: string,
): void {
  const fullCost = denial ? 0 : operation.requestedCost;
  operation.record = {
    subject: operation.subject,
    tier: operation.tier.name,
    operationType: operation.operationType,
    operationName: operation.operationName,
    document: operation.registered,
    askedBy: operation.askedBy,
    requestedCost: operation.requestedCost,
    chargedCost: operation.validateOnly ? Math.min(minimumCost, fullCost) : fullCost,
    denial,
    deniedBy,
    shadowDeniedBy: denial ? [] : shadowDenialsOf(operation, mode),
    wouldBeDeniedBy: mode === 'SHADOW' && !denial ? shadowDenialsOf(operation, mode, isEnforced) : [],
    degraded: operation.decision?.degraded ?? false,
    durationMs: performance.now() - operation.startedMs - (operation.decision?.waitedMs ?? 0),
    waitedMs: operation.decision?.waitedMs,
    mode,
  };
  operations.onDecision(operation.record);
}

/** Returns the record of an operation that was denied before it was validated and priced. */
export function recordOfForeseenDenial(
  { parts, deniedBy }: FeeOutcome,
  facts: {
    subject: Subject;
    startedMs: number;
    mode: DecisionRecord['mode'];
    operation: OperationDefinitionNode | null | undefined;
  },
  askedBy: AskedBy | undefined,
): DecisionRecord {
  const { subject, startedMs, mode, operation } = facts;
  return {
    subject,
    tier: parts.tier.name,
    operationType: OPERATION_TYPES[operation?.operation ?? 'query'],
    operationName: operation?.name?.value,
    askedBy,
    requestedCost: 0,
    chargedCost: 0,
    denial: 'THROTTLED',
    deniedBy,
    shadowDeniedBy: [],
    wouldBeDeniedBy: [],
    degraded: parts.degraded,
    durationMs: performance.now() - startedMs,
    waitedMs: undefined,
    mode,
  };
}

/** Returns whether a limit denies operations if the mode of the protection is `ENFORCE`. */
function isEnforced({ rule }: BoundLimit): boolean {
  return rule?.mode !== 'SHADOW';
}

/**
 * Returns the names of the shadow limits that would have denied the operation. With `mode:
 * 'SHADOW'`, the ceiling of the tier is also reported like a shadow limit.
 */
function shadowDenialsOf(
  { bound, states, tier, requested, validateOnly }: Operation,
  mode: DecidingProtection['mode'],
  isCounted?: (limit: BoundLimit) => boolean,
): readonly string[] {
  const denials = shadowDenials(bound.limits, states, isCounted);
  if (mode !== 'SHADOW' || validateOnly || !findExceededCeiling(tier, requested)) return denials;
  const ofTier = `tier:${tier.name}`;
  return denials.includes(ofTier) ? denials : [ofTier, ...denials];
}
