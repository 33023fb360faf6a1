import { CostError } from '../cost/values/cost-error.js';
import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import type { Denial } from '../limiter/charge/decision.js';
import type { LimitState } from '../model/limit-parameters.js';
import { rootOf } from '../model/subject.js';
import type { SizeSuggestion } from './answer/denial-error.js';
import type { Operation } from './operation.js';
import type { Protection } from './protection.js';
import { findExceededCeiling, requestedAmounts } from './requested-amounts.js';
import { isTooLarge } from './too-many-limits-error.js';

/** Largest charge that a limit admits. If it is not known exactly, `least` is below `most`. */
interface Room {
  readonly least: number;
  readonly most: number;
}

type SuggestingProtection = Pick<Protection<never>, 'binder' | 'ruleset' | 'mode' | 'suggestions'>;

/** Maximum number of prices that are computed for one denial. */
const MAX_PRICES = 32;
/** Maximum number of steps of all these computations together. It bounds the time of a denial. */
const MAX_STEPS = 50_000;
/** Steps that take as long as finding the limits of an operation, which each price requires. */
const STEPS_OF_LIMITS = 100;

/**
 * Returns the argument and its largest value with which a denied operation would be admitted now.
 * If several arguments qualify, the function chooses the one whose value it reduces least. It returns
 * undefined if no single argument suffices, if the largest value cannot be computed exactly, or if the
 * budget for suggestions is spent.
 * @param states states of the limits after the denial
 * @param denial undefined for an operation that was rejected by a maximum of its tier
 */
export function suggestSize(
  protection: SuggestingProtection,
  operation: Operation,
  states: readonly LimitState[],
  denial: Denial | undefined,
): SizeSuggestion | undefined {
  const { subject, bound, charges, costPlan, detail, validateOnly } = operation;
  // In a batch, the charges are those of all operations together.
  if (detail === 'NONE' || validateOnly || denial?.degraded || charges !== bound.charges) return undefined;
  const allowed = Math.min(MAX_PRICES, Math.floor(MAX_STEPS / costPlan.steps));
  if (allowed < 4 || !protection.suggestions.allows(subject)) return undefined;
  let left = allowed;
  const rooms = roomsOf(charges, states, denial);
  let best: SizeSuggestion | undefined;
  for (const argument of operation.plan.sizeArguments()) {
    const slackAt = (value: number): Room | undefined => {
      left--;
      const { costPlan: resized, plan } = argument.withValue(value);
      return slackOf(protection, operation, { costPlan: resized, plan }, rooms);
    };
    const largest = largestAdmitted(argument.current, slackAt, () => left > 0);
    if (largest === undefined || (best && largest / argument.current <= best.largest / best.current)) continue;
    const { argument: name, variable, current } = argument;
    best = { argument: name, ...(variable !== undefined && { variable }), current, largest };
  }
  protection.suggestions.spend(subject, (allowed - left) * (costPlan.steps + STEPS_OF_LIMITS));
  return best;
}

function roomsOf(
  charges: readonly LimitCharge[],
  states: readonly LimitState[],
  denial: Denial | undefined,
): ReadonlyMap<string, Room> {
  const chargeOf = new Map(charges.map((charge) => [charge.id, charge]));
  const wasCharged = denial?.code === 'THROTTLED';
  const rooms = new Map<string, Room>();
  for (const { id, remaining, violated } of states) {
    const charge = chargeOf.get(id);
    if (!charge || charge.mode === 'SHADOW') continue;
    // A limit that delays operations admits more than what remains.
    const mayDelay = (charge.maxDelayMs ?? 0) > 0 || charge.algorithm === 'LEAKY_BUCKET';
    const most = mayDelay ? Number.POSITIVE_INFINITY : remaining;
    if (!wasCharged) rooms.set(id, { least: remaining, most });
    else if (violated && id === denial.deniedBy) {
      rooms.set(id, { least: denial.maxAdmissibleCost, most: denial.maxAdmissibleCost });
    } else if (violated || charge.countDenied) rooms.set(id, { least: remaining, most });
    // It would have admitted the whole charge, so it admits any smaller one.
    else rooms.set(id, { least: Math.max(remaining, charge.cost), most: Math.max(most, charge.cost) });
  }
  return rooms;
}

/**
 * Returns the smallest amount that a limit would have left after the charge of a plan. If it is
 * below zero, the operation is denied. Returns undefined if a limit applies whose state is unknown.
 * @throws CostError if the operation has no price, for example because the value is invalid
 */
function slackOf(
  { binder, ruleset: current, mode }: SuggestingProtection,
  { tier, subject, client, isAgentClient, registered: document, operationType, operationName }: Operation,
  { costPlan, plan }: Pick<Operation, 'costPlan' | 'plan'>,
  rooms: ReadonlyMap<string, Room>,
): Room | undefined {
  const estimate = plan.estimate();
  if (mode === 'ENFORCE' && findExceededCeiling(tier, requestedAmounts(tier, estimate))) return DENIED;
  const operation = { type: operationType, name: operationName };
  const request = { subject, root: rootOf(subject), client, isAgentClient, document };
  const bound = binder.bind(costPlan, plan, estimate.cost, current(), tier, operation, request);
  if (isTooLarge(bound)) return DENIED;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { id, cost, mode: ofCharge } of bound.charges) {
    if (ofCharge === 'SHADOW' || cost === 0) continue;
    const room = rooms.get(id);
    if (!room) return undefined;
    least = Math.min(least, room.least - cost);
    most = Math.min(most, room.most - cost);
  }
  return { least, most };
}

const DENIED: Room = { least: -1, most: -1 };

/**
 * Returns the largest admitted value from 1 to `current - 1`. The operation was denied with the value
 * `current`. Returns undefined if there is no such value, or if it cannot be computed exactly. The
 * search ends without a result as soon as `mayContinue` returns false. Costs are nearly always
 * linear in the value, so a few steps of interpolation suffice.
 */
function largestAdmitted(
  current: number,
  slackAt: (value: number) => Room | undefined,
  mayContinue: () => boolean,
): number | undefined {
  try {
    let low = 1;
    let atLow = slackAt(low);
    let high = current;
    let atHigh: Room | undefined;
    if (!atLow || atLow.least < 0) return undefined;
    for (let step = 0; high - low > 1; step++) {
      if (!mayContinue()) return undefined;
      const middle = middleOf(low, high, atLow.least, step % 3 === 2 ? undefined : atHigh?.least);
      const slack = slackAt(middle);
      if (!slack) return undefined;
      if (slack.least < 0) [high, atHigh] = [middle, slack];
      else [low, atLow] = [middle, slack];
    }
    return high < current && (atHigh?.most ?? -1) >= 0 ? undefined : low;
  } catch (error) {
    if (error instanceof CostError) return undefined;
    throw error;
  }
}

/** Returns a value between two others: where a line through the slacks is zero, or the middle. */
function middleOf(low: number, high: number, atLow: number, atHigh: number | undefined): number {
  const isLine = atHigh !== undefined && Number.isFinite(atLow) && Number.isFinite(atHigh);
  const share = isLine ? atLow / (atLow - atHigh) : 0.5;
  return Math.min(high - 1, Math.max(low + 1, low + Math.floor(share * (high - low))));
}
