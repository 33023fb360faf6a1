import type { LimitParameters, LimitState } from '../../model/limit-parameters.js';
import type { AnswerDetail } from '../../model/rule.js';
import { isKeyBudget } from '../../rules/matching/prepare-rule.js';
import type { BoundLimit } from '../../rules/matching/ruleset.js';

/** A limit with its state after the decision. */
export interface LimitOutcome {
  limit: BoundLimit;
  state: LimitState;
}

/** Pairs each limit with its state. Both lists have the same order. */
export function outcomesOf(limits: readonly BoundLimit[], states: readonly LimitState[]): LimitOutcome[] {
  const outcomes: LimitOutcome[] = [];
  for (let i = 0; i < limits.length; i++) {
    const state = states[i];
    if (state) outcomes.push({ limit: limits[i]!, state });
  }
  return outcomes;
}

/** Returns the parameters that are enforced: those of the part of the region, if the limit is split. */
export function enforcedParameters({ limit, state }: LimitOutcome): LimitParameters {
  return state.part?.parameters ?? limit.parameters;
}

/** Returns the outcomes of enforced limits. Responses to clients never contain shadow limits. */
export function enforced(outcomes: readonly LimitOutcome[]): LimitOutcome[] {
  return outcomes.filter(({ limit }) => limit.mode === 'ENFORCE');
}

/** Returns whether the limit is the bucket or the budget of the tier, which no rule defines. */
export function isOfTier(limit: BoundLimit): boolean {
  return limit.rule === undefined && !isKeyBudget(limit);
}

/** Returns whether the limit is the bucket of the tier. Exempt callers have none. */
export function isTierBucket({ limit }: LimitOutcome): boolean {
  return isOfTier(limit) && limit.parameters.algorithm !== 'CALENDAR_WINDOW';
}

const NOTHING: readonly LimitOutcome[] = [];

/**
 * Returns the limits that a response reports. A brief response reports the buckets and budgets of
 * the tier and the API key, and one other limit. This is the limit that denied the operation,
 * otherwise the limit with the smallest remaining fraction. If several fractions are equal, it is the
 * limit with the narrowest field.
 */
export function outcomesToReport(
  detail: AnswerDetail,
  limits: readonly BoundLimit[],
  states: readonly LimitState[],
  deniedBy?: string,
): readonly LimitOutcome[] {
  if (detail === 'NONE') return NOTHING;
  if (detail === 'FULL') return enforced(outcomesOf(limits, states));
  const reported: LimitOutcome[] = [];
  let nearest = -1;
  let leastLeft = Number.POSITIVE_INFINITY;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const state = states[i];
    if (state === undefined || limit.mode === 'SHADOW') continue;
    if (limit.rule === undefined) {
      reported.push({ limit, state });
      continue;
    }
    const left = state.id === deniedBy ? -1 : state.remaining / state.limit;
    if (left >= leastLeft) continue;
    leastLeft = left;
    nearest = i;
  }
  if (nearest >= 0) reported.push({ limit: limits[nearest]!, state: states[nearest]! });
  return reported;
}

/**
 * Returns the limit that denied the operation, otherwise the limit with the smallest remaining
 * fraction (the first if several are equal). Returns undefined if no limit applied.
 */
export function nearestToDenying(
  outcomes: readonly LimitOutcome[],
  deniedBy: string | undefined,
): LimitState | undefined {
  let nearest: LimitState | undefined;
  for (const { state } of outcomes) {
    if (state.id === deniedBy) return state;
    if (nearest === undefined || state.remaining / state.limit < nearest.remaining / nearest.limit) nearest = state;
  }
  return nearest;
}
