import type { CostPlan } from '../cost/cost-plan.js';
import { rootOf } from '../model/subject.js';
import { isAgent } from '../rules/matching/caller-classes.js';
import { asksForReport } from './answer/asks-for-report.js';
import { fieldNotAllowedError } from './answer/denial-error.js';
import { isTierBucket, outcomesOf } from './answer/limit-outcome.js';
import { dryRunDocument, offersRateLimit, type RateLimitNumbers } from './answer/rate-limit-numbers.js';
import { keepToMinimum } from './charge-fee.js';
import { findForbiddenField } from './find-forbidden-field.js';
import type { Operation, OperationRequest } from './operation.js';
import type { Protection } from './protection.js';
import { requestedAmounts } from './requested-amounts.js';

export const OPERATION_TYPES = { query: 'QUERY', mutation: 'MUTATION', subscription: 'SUBSCRIPTION' } as const;

interface Received<Context> extends Pick<Operation, 'subject' | 'startedMs' | 'registered' | 'askedBy' | 'connection'> {
  contextValue: Context;
  /** Extensions of the request, unchecked. */
  extensions: unknown;
  /**
   * Cost plan, if the operation was priced before. If undefined, the analyzer looks it up or
   * compiles it.
   */
  costPlan: CostPlan | undefined;
}

/**
 * Prices the operation and binds its limits.
 * @throws GraphQLError if the request is invalid, for example its variables, or if the caller's API
 * key may not select one of its fields
 */
export function priceOperation<Context extends object>(
  protection: Protection<Context>,
  request: OperationRequest,
  received: Received<Context>,
): Operation {
  const { analyzer, binder, mayReportCost, minimumCost } = protection;
  const { subject, startedMs, registered, askedBy, connection, contextValue, extensions, costPlan: known } = received;
  // The fields of a key are a permission and not a limit, so they apply in shadow mode too.
  const forbidden = subject.keyFields && findForbiddenField(request, subject.keyFields);
  if (forbidden !== undefined) throw fieldNotAllowedError(forbidden);
  const { schema, document, operationName = null, documentHash, variables, header } = request;
  const operationType = OPERATION_TYPES[request.operation.operation];
  const ruleset = protection.ruleset();
  const tier = ruleset.tier(subject.tier);
  const costPlan = known ?? analyzer.compile(document, operationName, documentHash);
  const plan = costPlan.bind(variables, contextValue);
  const wanted = header('graphql-cost');
  const reportFields = asksForReport(wanted, { tier, subject, mayReportCost });
  const dryRun = offersRateLimit(schema) ? dryRunDocument(request.operation, document, variables) : undefined;
  const validateOnly = wanted === 'validate' || dryRun !== undefined;
  const estimate = plan.estimate();
  const requestedCost = estimate.cost;
  const operation = { type: operationType, name: operationName ?? undefined };
  const { client, isAgentClient } = protection.clientOf(header, extensions);
  const facts = { subject, root: rootOf(subject), client, isAgentClient, document: registered, connection };
  const all = binder.bind(costPlan, plan, requestedCost, ruleset, tier, operation, facts);
  const bound = validateOnly ? keepToMinimum(all, minimumCost) : all;
  return {
    startedMs,
    subject,
    operationType,
    operationName: operation.name,
    client,
    askedBy,
    connection,
    registered,
    isAgentClient,
    isAgent: isAgent({ subject, isAgentClient }),
    tier,
    costPlan,
    plan,
    requestedCost,
    bound,
    detail: reportFields ? 'FULL' : tier.answer,
    reportFields,
    validateOnly,
    dryRun: wanted === 'validate' ? undefined : dryRun,
    limits: bound.limits,
    charges: bound.charges,
    requested: requestedAmounts(tier, estimate),
    pool: bound.pool,
    unknownRule: bound.unknownRule,
    decision: undefined,
    states: [],
    record: undefined,
    fee: undefined,
    executed: false,
    spent: undefined,
    reportedCost: undefined,
    chargedApart: 0,
  };
}

/** Returns the value of the field `rateLimit`. */
export function rateLimitNumbers({ requestedCost, limits, states, plan }: Operation): RateLimitNumbers {
  const state = outcomesOf(limits, states).find(isTierBucket)?.state;
  return {
    cost: requestedCost,
    limit: state?.limit ?? null,
    remaining: state?.remaining ?? null,
    used: state?.used ?? null,
    resetAt: state ? new Date(state.resetAtMs).toISOString() : null,
    nodeCount: plan.estimate().nodes,
  };
}
