import type { FieldCost } from '../../cost/cost-plan.js';
import type { LimitState } from '../../model/limit.js';
import type { Tier } from '../../model/rule.js';
import type { BoundLimit } from '../../rules/matching/ruleset.js';

/** `extensions.cost` of every answer. */
export interface CostExtension {
  /** The price before it ran: the largest cost the operation can have. */
  requestedQueryCost: number;
  /** What an operation paid that was never priced (a syntax error, an unknown field), or that can never pass. */
  fee?: number;
  /** The price of what it produced; null when nothing ran. */
  actualQueryCost: number | null;
  /** The tier's bucket, after this operation; null for callers without one. Rates are tokens per second. */
  throttleStatus: { maximumAvailable: number; currentlyAvailable: number; restoreRate: number } | null;
  tier: string;
  mode: 'ENFORCE' | 'SHADOW';
  /** True when a limit was decided without its shared counter. */
  degraded: boolean;
  /** The other limits that applied, narrowest first. */
  limits: {
    rule: string;
    scope: string;
    field: string;
    limit: number;
    remaining: number;
    resetAt: string;
  }[];
  /** Calls and own cost by field; only when asked for and allowed. */
  fields?: readonly FieldCost[];
}

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

/** Those a client is told of: shadows are between the platform and its admins. */
export function enforced(outcomes: readonly LimitOutcome[]): LimitOutcome[] {
  return outcomes.filter(({ limit }) => limit.mode === 'ENFORCE');
}

export function isTierBucket({ limit }: LimitOutcome): boolean {
  return limit.rule === undefined;
}

export interface AnswerParts {
  requestedCost: number;
  actualCost: number | null;
  tier: Tier;
  mode: 'ENFORCE' | 'SHADOW';
  degraded: boolean;
  outcomes: readonly LimitOutcome[];
  fields?: readonly FieldCost[] | undefined;
  fee?: number | undefined;
  /** It was not let in, and paid nothing. @default false */
  isDenied?: boolean | undefined;
}

/** Builds `extensions.cost`. */
export function costExtension(parts: AnswerParts): CostExtension {
  const { tier } = parts;
  const extension: CostExtension = {
    requestedQueryCost: parts.requestedCost,
    actualQueryCost: parts.actualCost,
    throttleStatus: null,
    tier: tier.name,
    mode: parts.mode,
    degraded: parts.degraded,
    limits: [],
  };
  for (const outcome of parts.outcomes) {
    const { limit, state } = outcome;
    if (isTierBucket(outcome)) {
      extension.throttleStatus = {
        maximumAvailable: state.limit,
        currentlyAvailable: state.remaining,
        restoreRate: restoreRateOf(limit),
      };
    } else if (limit.mode === 'ENFORCE') {
      extension.limits.push({
        rule: limit.ruleName,
        scope: limit.scope,
        field: limit.pattern.text,
        limit: state.limit,
        remaining: state.remaining,
        resetAt: isoTime(state.resetAtMs),
      });
    }
  }
  if (parts.fee !== undefined) extension.fee = parts.fee;
  if (parts.fields) extension.fields = parts.fields;
  return extension;
}

const knownTimes = new Map<number, string>();

/** Windows of one length end together: most times asked for are among the last few. */
function isoTime(timeMs: number): string {
  const known = knownTimes.get(timeMs);
  if (known !== undefined) return known;
  if (knownTimes.size >= 64) knownTimes.clear();
  const text = new Date(timeMs).toISOString();
  knownTimes.set(timeMs, text);
  return text;
}

/** Tokens per second: the tier's, or those of the subject's own bucket. */
function restoreRateOf({ parameters }: BoundLimit): number {
  const { refillAmount = 0, refillPeriodMs = 1 } = parameters;
  return (refillAmount * 1000) / refillPeriodMs;
}
