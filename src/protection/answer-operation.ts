import type { DocumentPolicy } from '../documents/registered-documents.js';
import type { Admission } from '../limiter/charge/decision.js';
import { MAX_COST } from '../model/limit-parameters.js';
import type { AnswerParts } from './answer/cost-extension.js';
import { withoutSlots } from './answer/is-slot-limit.js';
import { outcomesToReport } from './answer/limit-outcome.js';
import type { BatchPlace } from './batch-place.js';
import { actualCosts, costsOfNothing, reportedCosts, unseenCosts } from './charge-binder.js';
import { chargeWhenReported } from './charge-when-reported.js';
import type { Operation, OperationOutcome, Spent } from './operation.js';
import type { Protection } from './protection.js';
import { readResponse, withOutstanding } from './read-response.js';
import { RecordedOperation } from './recorded-operation.js';
import { type ReportedCost, withReported } from './reported-cost.js';
import type { RunningResolvers } from './slots/running-resolvers.js';

/** Facts about the end of one operation that are not stored in the operation. */
interface AnswerFacts {
  /** Cost that resolvers report. Undefined if the operation was not executed. */
  reportedCost: ReportedCost | undefined;
  outcome: OperationOutcome;
  /** Undefined for an operation that holds no concurrency slot, and for one that never ran. */
  running: RunningResolvers | undefined;
  /** Undefined for an operation that is not part of a batch. */
  place: BatchPlace | undefined;
  isClientGone: boolean;
}

/** Settles an operation by its outcome, notifies observers, and returns the response parts. */
export function answerOperation<Context>(
  protection: Protection<Context>,
  operation: Operation,
  facts: AnswerFacts,
): AnswerParts {
  const { operations, now } = protection;
  if (operation.decision?.admitted) {
    const fieldSums = operations.onAnswer !== undefined;
    operation.spent = spentBy(operation, facts, fieldSums);
    const { reportedCost } = facts;
    const reported = reportedCost?.take();
    if (reported && reported.total > 0) {
      operation.reportedCost = reported.total;
      const spent = operation.spent ?? estimateAsSpent(operation, fieldSums);
      operation.spent = withReported(spent, operation.bound.limits, reported);
    }
    if (reportedCost) chargeWhenReported(protection, operation, reportedCost);
    settle(protection, operation, operation.decision, facts);
    const { record, spent } = operation;
    if (record) operations.onSettled(record, spent?.cost ?? record.chargedCost);
  }
  if (operation.record) operations.onAnswer?.(new RecordedOperation(operation, facts.place?.batchId, now()));
  return partsOf(protection, operation);
}

/**
 * Returns the actual cost of an admitted operation, or undefined if its charge stays at the
 * estimate.
 */
function spentBy(operation: Operation, { outcome, isClientGone }: AnswerFacts, fieldSums: boolean): Spent | undefined {
  const { data, errors, document, isIncremental, outstanding, isLost } = outcome;
  const { unseenCost = 0, knownCost, addedCost = 0 } = outcome;
  const { bound, plan, executed, validateOnly } = operation;
  // The cost of a response that Tollgate did not read is charged even if the client has
  // disconnected. Otherwise a client could avoid this cost by disconnecting just before the last
  // byte of the response.
  if (executed && !validateOnly && unseenCost > operation.requestedCost) {
    const byLimit = unseenCosts(bound, unseenCost);
    return { cost: unseenCost, byLimit, fields: undefined, response: undefined };
  }
  if (executed && !validateOnly && knownCost !== undefined) {
    const cost = Math.min(MAX_COST, knownCost + addedCost);
    return { cost, byLimit: reportedCosts(bound, cost), fields: undefined, response: undefined };
  }
  if (executed && (isLost || (isClientGone && !outstanding))) return undefined;
  // Tollgate cannot walk an incremental response whose parts it did not receive, so the charge stays
  // at the estimate. An operation that is only priced keeps its minimum charge.
  if ((isIncremental && !outstanding) || validateOnly) return undefined;
  if (!executed) {
    return { cost: 0, byLimit: costsOfNothing(bound), fields: undefined, response: undefined };
  }
  const response = withOutstanding(readResponse(data, errors, document), outstanding);
  // Usage needs the sums by field. The pass over the response that computes the actual cost
  // collects them at little extra cost.
  const { measures, ...actual } = plan.actual(response.data, bound.measures, { fieldSums, errors: response.errors });
  const cost = addedCost === 0 ? actual.cost : Math.min(MAX_COST, actual.cost + addedCost);
  return { cost, byLimit: actualCosts(bound, { cost, measures }), fields: actual.fieldSums, response };
}

/**
 * Returns the estimate as actual cost, for an operation without an actual cost whose resolvers
 * reported some. It includes the slots, so that its settlement frees them.
 */
function estimateAsSpent({ bound, plan, requestedCost }: Operation, fieldSums: boolean): Spent {
  const byLimit: Record<string, number> = {};
  for (const { id, cost } of bound.charges) byLimit[id] = cost;
  const { fields } = plan.estimate();
  const sums = {
    coordinates: fields.map(({ coordinate }) => coordinate),
    calls: fields.map(({ calls }) => calls),
    costs: fields.map(({ cost }) => cost),
  };
  return { cost: requestedCost, byLimit, fields: fieldSums ? sums : undefined, response: undefined };
}

function isToBeWarned({ unregistered, bypassTiers }: DocumentPolicy, { registered, tier }: Operation): boolean {
  return unregistered === 'WARN' && registered === undefined && !bypassTiers.includes(tier.name);
}

/** Returns the parts of the response that describe cost and limits. */
export function partsOf<Context>(
  { mode, limiter, documentPolicy }: Protection<Context>,
  operation: Operation,
): AnswerParts {
  const { decision, detail, fee, spent } = operation;
  const degraded = fee?.degraded ?? decision?.degraded ?? false;
  const deniedBy = decision?.admitted === false ? decision.deniedBy : undefined;
  return {
    detail,
    requestedCost: operation.requestedCost,
    actualCost: spent ? Math.min(MAX_COST, spent.cost + operation.chargedApart) : null,
    chargedCost: operation.record?.chargedCost,
    tier: operation.tier,
    mode,
    wouldBeDeniedBy: operation.record?.wouldBeDeniedBy[0],
    degraded,
    clockAheadMs: fee?.clockAheadMs ?? limiter.clockAheadMs(operation.bound.pool?.name, degraded),
    approximate: decision?.admitted && decision.approximate,
    waitedMs: decision?.waitedMs,
    reportedCost: (operation.reportedCost ?? 0) + operation.chargedApart || undefined,
    outcomes: outcomesToReport(detail, operation.limits, operation.states, deniedBy),
    deniedBy: fee?.deniedBy ?? deniedBy,
    fee: fee?.fee,
    isUnregistered: isToBeWarned(documentPolicy, operation),
    fields: operation.reportFields ? operation.plan.estimate().fields : undefined,
  };
}

/**
 * Corrects the charge of an admitted operation, and releases its concurrency slot when no resolver
 * of the operation runs any more. Nothing waits for the reply of Redis. If the settlement is lost,
 * the charge stays at the estimate.
 */
function settle<Context>(
  { limiter, onError }: Protection<Context>,
  operation: Operation,
  admission: Admission,
  facts: AnswerFacts,
): void {
  const { running, place } = facts;
  const { receipt } = admission;
  const { bound } = operation;
  const actual = operation.spent?.byLimit;
  if (place) {
    place.settle(bound, actual ?? {}, (one, all) => {
      if (one.admitted) limiter.settle(one.receipt, all).catch(onError);
    });
    const end = () => {
      place.end((one) => {
        if (one.admitted) limiter.release(one.receipt).catch(onError);
      });
    };
    if (running === undefined || isAtRest(facts, running)) end();
    else whenAtRest(facts, running, end);
    // A batch is settled when its last operation ends. Its responses therefore report the amounts
    // that were left after the charge, before the settlement.
    return;
  }
  const holds = running !== undefined && !isAtRest(facts, running);
  if (actual) {
    const known = holds ? withoutSlots(actual, bound.limits) : actual;
    limiter.settleUnawaited(receipt, known, onError);
    const states = limiter.settledStates(admission, known);
    if (states) operation.states = states;
  }
  if (holds || (running && actual === undefined)) {
    const release = () => void limiter.release(receipt).catch(onError);
    if (holds) whenAtRest(facts, running, release);
    else release();
  }
}

/**
 * Returns whether no resolver of the operation can still run. graphql-js waits for every resolver,
 * unless an error ends the execution early or the response is incremental.
 */
function isAtRest({ outcome }: AnswerFacts, { isIdle }: RunningResolvers): boolean {
  return isIdle && !outcome.isLost && !outcome.isIncremental && !outcome.errors?.length;
}

function whenAtRest({ outcome }: AnswerFacts, running: RunningResolvers, done: () => void): void {
  outcome.whenAnswered(() => running.whenEnded(done));
}
