import type { DocumentNode } from 'graphql';
import type { CostPlan } from '../cost/cost-plan.js';
import type { LimitState } from '../model/limit.js';
import type { AnswerDetail } from '../model/rule.js';
import { rootOf, type Subject } from '../model/subject.js';
import type { BoundLimit } from '../rules/matching/ruleset.js';
import { asksForReport } from './answer/asks-for-report.js';
import type { AnswerParts } from './answer/cost-extension.js';
import { isTierBucket, outcomesOf } from './answer/limit-outcome.js';
import { dryRunDocument, offersRateLimit, type RateLimitNumbers } from './answer/rate-limit-field.js';
import { type RequestedAmounts, requestedAmounts } from './ceilings.js';
import { keepToMinimum } from './fee.js';
import type { OperationRequest } from './operation-request.js';
import type { Protection } from './protection.js';
import type { DecidedOperation } from './usage-of-operation.js';

/** An operation that has a price, and what became of it. */
export interface PricedOperation extends DecidedOperation {
  /** What was charged, and what became of it at the same index: of the batch where there is one. */
  limits: readonly BoundLimit[];
  states: readonly LimitState[];
  requested: RequestedAmounts;
  /** What its answer says of cost and limits. */
  detail: AnswerDetail;
  reportFields: boolean;
  /** What the fee came to, where the operation can never pass. */
  fee: AnswerParts | undefined;
  /** What runs of an operation that asks its `rateLimit` field for a dry run. */
  dryRun: DocumentNode | undefined;
  executed: boolean;
}

export const OPERATION_TYPES = { query: 'QUERY', mutation: 'MUTATION', subscription: 'SUBSCRIPTION' } as const;

interface PricedRequest<Context> {
  subject: Subject;
  startedMs: number;
  contextValue: Context;
  /** Undefined: it is looked for, and built where there is none. */
  formula: CostPlan | undefined;
}

/** Prices the operation and finds its limits. Throws what the client did wrong. */
export function priceOperation<Context extends object>(
  protection: Protection<Context>,
  request: OperationRequest,
  { subject, startedMs, contextValue, formula: known }: PricedRequest<Context>,
): PricedOperation {
  const { analyzer, binder, mayReportCost, minimumCost } = protection;
  const { schema, document, operationName, documentHash, variables, header } = request;
  const operationType = OPERATION_TYPES[request.operation.operation];
  const ruleset = protection.ruleset();
  const tier = ruleset.tier(subject.tier);
  const formula = known ?? analyzer.compile(document, operationName, documentHash);
  const plan = formula.bind(variables, contextValue);
  const wanted = header('graphql-cost');
  const reportFields = asksForReport(wanted, { tier, subject, mayReportCost });
  const dryRun = offersRateLimit(schema) ? dryRunDocument(request.operation, document, variables) : undefined;
  const validateOnly = wanted === 'validate' || dryRun !== undefined;
  const estimate = plan.estimate();
  const requestedCost = estimate.cost;
  const operation = { type: operationType, name: operationName ?? undefined };
  const client = header('apollographql-client-name');
  const facts = { subject, root: rootOf(subject), client };
  const all = binder.bind(formula, plan, requestedCost, ruleset, tier, operation, facts);
  return {
    startedMs,
    subject,
    operationType,
    operationName: operation.name,
    client,
    tier,
    formula,
    plan,
    requestedCost,
    requested: requestedAmounts(tier, estimate),
    bound: validateOnly ? keepToMinimum(all, minimumCost) : all,
    decision: undefined,
    record: undefined,
    limits: all.limits,
    states: [],
    detail: reportFields ? 'FULL' : tier.answer,
    reportFields,
    validateOnly,
    fee: undefined,
    dryRun: wanted === 'validate' ? undefined : dryRun,
    executed: false,
  };
}

/** What the field `rateLimit` answers. */
export function rateLimitNumbers({ requestedCost, limits, states, plan }: PricedOperation): RateLimitNumbers {
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
