import type { DocumentNode, ExecutionResult, GraphQLError } from 'graphql';
import type { LimitCharge } from '../../limiter/charge/create-limit-compiler.js';
import type { Decision } from '../../limiter/charge/decision.js';
import type { EventPolicy } from '../../model/rule.js';
import type { BoundLimit } from '../../rules/matching/ruleset.js';
import { denialError, unknownRuleError } from '../answer/denial-error.js';
import { isSlotLimit } from '../answer/is-slot-limit.js';
import { outcomesOf } from '../answer/limit-outcome.js';
import { actualCosts } from '../charge-binder.js';
import { denierOf } from '../charge-fee.js';
import { recordDecision } from '../decide-operation.js';
import { DENIAL_VERDICTS } from '../denial-verdicts.js';
import type { Operation } from '../operation.js';
import type { Protection } from '../protection.js';
import { readResponse } from '../read-response.js';
import { RecordedOperation } from '../recorded-operation.js';

/** A subscription whose events are charged. */
export interface ChargedSubscription {
  /** The operation, with the limits that are in force now. */
  readonly operation: Operation;
  readonly document: DocumentNode;
  /** Name of the root type of subscriptions. */
  readonly rootType: string;
}

/** An event with its price. A paused event is charged several times, until it is admitted. */
export interface PricedEvent {
  /** The event as an operation of its own, for records and messages. */
  readonly operation: Operation;
  /** Whether a denial of the event was recorded. */
  isDenialRecorded: boolean;
}

type EventDecision =
  | { admitted: true; delayMs: number }
  | {
      admitted: false;
      policy: EventPolicy;
      error: GraphQLError;
      /** Time after which the event fits, in milliseconds; undefined if it never fits. */
      retryAfterMs: number | undefined;
    };

/** Time after which a denied event is charged again, in milliseconds, if the denial has none. */
const RETRY_MS = 1000;

/**
 * Prices an event: the actual cost of its payload, but at least the minimum cost. Limits on
 * requests and open subscriptions do not count events. Nor do limits on calls whose pattern matches
 * the field of the subscription, because that call was charged when the subscription started.
 */
export function priceEvent<Context>(
  { minimumCost, operations }: Protection<Context>,
  { operation, document, rootType }: ChargedSubscription,
  { data, errors }: ExecutionResult,
): PricedEvent {
  const { bound, plan } = operation;
  const response = readResponse(data, errors, document);
  const fieldSums = operations.onAnswer !== undefined;
  const { measures, ...actual } = plan.actual(response.data, bound.measures, { fieldSums, errors: response.errors });
  const cost = Math.max(minimumCost, actual.cost);
  const byLimit = actualCosts(bound, { cost, measures });
  const limits: BoundLimit[] = [];
  const charges: LimitCharge[] = [];
  bound.limits.forEach((limit, index) => {
    const amount = byLimit[limit.id] ?? 0;
    if (amount === 0 || !countsEvents(limit, operation, rootType)) return;
    limits.push(limit);
    charges.push({ ...bound.charges[index]!, cost: amount });
  });
  return {
    operation: {
      ...operation,
      startedMs: performance.now(),
      requestedCost: cost,
      bound: { ...bound, limits, charges },
      limits,
      charges,
      decision: undefined,
      states: [],
      record: undefined,
      executed: true,
      spent: { cost, byLimit, fields: actual.fieldSums, response },
      reportedCost: undefined,
      chargedApart: 0,
    },
    isDenialRecorded: false,
  };
}

function countsEvents(limit: BoundLimit, { plan }: Operation, rootType: string): boolean {
  if (isSlotLimit(limit) || limit.measure === 'REQUESTS') return false;
  if (limit.measure !== 'CALLS') return true;
  return !plan
    .estimate()
    .fields.some(({ coordinate }) => coordinate.startsWith(`${rootType}.`) && limit.pattern.matches(coordinate));
}

/** Charges an event to all of its limits, or to none. */
export async function chargeEvent<Context>(
  protection: Protection<Context>,
  event: PricedEvent,
): Promise<EventDecision> {
  const { operation } = event;
  const { subject, charges, pool, unknownRule, detail } = operation;
  if (unknownRule && protection.mode === 'ENFORCE') {
    recordOnce(protection, event, 'UNAVAILABLE', unknownRule.name);
    const error = unknownRuleError(unknownRule.name, unknownRule.unknown, detail);
    return { admitted: false, policy: 'COMPLETE', error, retryAfterMs: undefined };
  }
  const decision = await protection.limiter.charge({ subject, limits: charges, pool: pool?.name, wait: false });
  operation.decision = decision;
  operation.states = decision.limits;
  if (!decision.admitted) return deniedEvent(protection, event, decision);
  recordDecision(protection, operation);
  const { record } = operation;
  if (record) protection.operations.onSettled(record, operation.requestedCost);
  answered(protection, operation);
  return { admitted: true, delayMs: decision.delayMs };
}

function deniedEvent<Context>(
  protection: Protection<Context>,
  event: PricedEvent,
  decision: Extract<Decision, { admitted: false }>,
): EventDecision {
  const { limits, charges, detail } = event.operation;
  const outcomes = outcomesOf(limits, decision.limits);
  const denier = outcomes.find(({ state }) => state.id === decision.deniedBy);
  recordOnce(protection, event, DENIAL_VERDICTS[decision.code], denierOf(decision.deniedBy, outcomes));
  const error = denialError({
    decision,
    outcomes,
    costOf: (id) => charges.find((charge) => charge.id === id)?.cost ?? 0,
    mostExpensivePaths: () => [],
    nowMs: protection.now(),
    denialStatus: protection.denialStatus,
    detail,
  });
  const isImpossible = decision.code === 'COST_EXCEEDS_CAPACITY';
  return {
    admitted: false,
    policy: denier?.limit.rule?.onEventDenied ?? 'COMPLETE',
    error,
    retryAfterMs: isImpossible ? undefined : (decision.retryAfterMs ?? RETRY_MS),
  };
}

/** Records a denial, but only the first one of an event that is charged several times. */
function recordOnce<Context>(
  protection: Protection<Context>,
  event: PricedEvent,
  denial: 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE',
  deniedBy: string,
): void {
  if (event.isDenialRecorded) return;
  event.isDenialRecorded = true;
  recordDecision(protection, event.operation, denial, deniedBy);
  answered(protection, { ...event.operation, spent: undefined });
}

/** Passes a copy to the observers, because they may read it after the event is charged again. */
function answered<Context>({ operations, now }: Protection<Context>, operation: Operation): void {
  operations.onAnswer?.(new RecordedOperation({ ...operation }, undefined, now()));
}
