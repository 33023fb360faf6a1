import type { FieldCost } from '../../cost/cost-plan.js';
import type { AnswerDetail, Tier } from '../../model/rule.js';
import type { BoundLimit } from '../../rules/matching/ruleset.js';
import { isTierBucket, type LimitOutcome } from './limit-outcome.js';

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
  /** In full answers. */
  tier?: string;
  /** In full answers. */
  mode?: 'ENFORCE' | 'SHADOW';
  /** True when a limit was decided without its shared counter; else in full answers alone. */
  degraded?: boolean;
  /** In full answers: tokens that were taken ahead paid for some of it, and what is left is as this instance knows it. */
  approximate?: true;
  /**
   * In full answers the other limits that applied, narrowest first; else the one of them that is nearest to denying, absent
   * where there is none.
   */
  limits?: LimitAnswer[];
  /** Calls and own cost by field; only when asked for and allowed. */
  fields?: readonly FieldCost[];
}

interface LimitAnswer {
  rule: string;
  scope: string;
  field: string;
  limit: number;
  remaining: number;
  resetAt: string;
}

/** What an answer says, or does not. */
export interface AnswerParts {
  detail: AnswerDetail;
  requestedCost: number;
  actualCost: number | null;
  /** Where nothing was settled: 0 where it was denied, the minimum for a dry run. @default requestedCost */
  chargedCost?: number | undefined;
  tier: Tier;
  mode: 'ENFORCE' | 'SHADOW';
  degraded: boolean;
  /** How far the clock by which limits are reset is ahead of that of this process. @default 0 */
  clockAheadMs?: number;
  approximate?: boolean | undefined;
  /** Those that are told of. */
  outcomes: readonly LimitOutcome[];
  /** Id of the limit that denied it. */
  deniedBy?: string | undefined;
  fields?: readonly FieldCost[] | undefined;
  fee?: number | undefined;
}

/** Builds `extensions.cost`; undefined for callers who are told nothing. */
export function costExtension(parts: AnswerParts): CostExtension | undefined {
  const { detail } = parts;
  if (detail === 'NONE') return undefined;
  const extension: CostExtension = {
    requestedQueryCost: parts.requestedCost,
    actualQueryCost: parts.actualCost,
    throttleStatus: null,
  };
  if (detail === 'FULL') {
    extension.tier = parts.tier.name;
    extension.mode = parts.mode;
    extension.degraded = parts.degraded;
    if (parts.approximate) extension.approximate = true;
  } else if (parts.degraded) extension.degraded = true;
  const limits: LimitAnswer[] = [];
  for (const outcome of parts.outcomes) {
    const { limit, state } = outcome;
    if (isTierBucket(outcome)) {
      extension.throttleStatus = {
        maximumAvailable: state.limit,
        currentlyAvailable: state.remaining,
        restoreRate: restoreRateOf(limit),
      };
      continue;
    }
    limits.push({
      rule: limit.ruleName,
      scope: limit.scope,
      field: limit.pattern.text,
      limit: state.limit,
      remaining: state.remaining,
      resetAt: isoTime(state.resetAtMs),
    });
  }
  if (limits.length > 0 || detail === 'FULL') extension.limits = limits;
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
