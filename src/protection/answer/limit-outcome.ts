import type { LimitState } from '../../model/limit-parameters.js';
import type { AnswerDetail } from '../../model/rule.js';
import type { BoundLimit } from '../../rules/matching/ruleset.js';

/** What was decided of one limit, beside the limit. */
export interface LimitOutcome {
  limit: BoundLimit;
  state: LimitState;
}

/** Pairs limits with their states, which come in the order asked. */
export function outcomesOf(limits: readonly BoundLimit[], states: readonly LimitState[]): LimitOutcome[] {
  const outcomes: LimitOutcome[] = [];
  for (let i = 0; i < limits.length; i++) {
    const state = states[i];
    if (state) outcomes.push({ limit: limits[i]!, state });
  }
  return outcomes;
}

/** Those a client may be told of: shadows are between the platform and its admins. */
export function enforced(outcomes: readonly LimitOutcome[]): LimitOutcome[] {
  return outcomes.filter(({ limit }) => limit.mode === 'ENFORCE');
}

export function isTierBucket({ limit }: LimitOutcome): boolean {
  return limit.rule === undefined;
}

const NOTHING: readonly LimitOutcome[] = [];

/**
 * The limits that an answer speaks of. In brief they are the tier's bucket and the one other that is nearest to denying: the
 * one that denied, else the one of which the smallest part is left, of several the narrowest.
 */
export function outcomesToTell(
  detail: AnswerDetail,
  limits: readonly BoundLimit[],
  states: readonly LimitState[],
  deniedBy?: string,
): readonly LimitOutcome[] {
  if (detail === 'NONE') return NOTHING;
  if (detail === 'FULL') return enforced(outcomesOf(limits, states));
  const told: LimitOutcome[] = [];
  let nearest = -1;
  let leastLeft = Number.POSITIVE_INFINITY;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const state = states[i];
    if (state === undefined || limit.mode === 'SHADOW') continue;
    if (limit.rule === undefined) {
      told.push({ limit, state });
      continue;
    }
    const left = state.id === deniedBy ? -1 : state.remaining / state.limit;
    if (left >= leastLeft) continue;
    leastLeft = left;
    nearest = i;
  }
  if (nearest >= 0) told.push({ limit: limits[nearest]!, state: states[nearest]! });
  return told;
}

/**
 * Returns the limit that denied, else the one of which the smallest part is left: of several the first. Undefined where no
 * limit applied.
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
