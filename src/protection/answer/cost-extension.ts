import type { FieldCost } from '../../cost/cost-plan.js';
import type { AnswerDetail, Tier } from '../../model/rule.js';
import type { BoundLimit } from '../../rules/matching/ruleset.js';
import { isTierBucket, type LimitOutcome } from './limit-outcome.js';

/**
 * Content of `extensions.cost` in a response. The `answer` of the tier determines whether a
 * response is full or brief.
 */
export interface CostExtension {
  /** Estimated cost: the largest cost the operation can have, computed before execution. */
  requestedQueryCost: number;
  /**
   * Fee charged for a request without a price (a syntax error, an unknown field), or for an
   * operation that can never be admitted.
   */
  fee?: number;
  /**
   * Actual cost of the response. Null if no actual cost was computed: for a denial, an operation
   * that was only priced, an incremental response, or a client that disconnected.
   */
  actualQueryCost: number | null;
  /**
   * State of the tier bucket after this operation; null if the caller has no tier bucket.
   * `restoreRate` is in tokens per second.
   */
  throttleStatus: { maximumAvailable: number; currentlyAvailable: number; restoreRate: number } | null;
  /**
   * Present if the caller has no bucket, because their tier has none. An exemption also removes the
   * bucket, but maybe not for the next operation, so it does not count.
   */
  unlimited?: true;
  /** Name of the tier. Only in full responses. */
  tier?: string;
  /** Mode of the protection. Brief responses contain it only if it is `SHADOW`. */
  mode?: 'ENFORCE' | 'SHADOW';
  /** Present if the protection is in shadow mode and would have denied the operation. */
  shadow?: {
    /**
     * Name of the limit that would have denied the operation: the tier, if the operation exceeds
     * one of its ceilings, otherwise the limit with the narrowest field.
     */
    wouldDeny: string;
  };
  /**
   * Whether at least one limit was decided without Redis. Brief responses contain it only if it is
   * true.
   */
  degraded?: boolean;
  /**
   * Present in full responses if leased tokens paid for a part of the cost. The remaining amount is
   * then an approximation by this instance.
   */
  approximate?: true;
  /**
   * Limits other than the tier bucket. Full responses list all limits that applied, narrowest field
   * first. Brief responses list only the limit that denied the operation or is closest to a denial.
   * They omit the property if no other limit applied.
   */
  limits?: LimitAnswer[];
  /**
   * Number of calls and own cost of each field. Present only if the caller requested it and is
   * allowed to see it.
   */
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

/** Values from which the cost parts of a response are built. */
export interface AnswerParts {
  detail: AnswerDetail;
  requestedCost: number;
  actualCost: number | null;
  /**
   * Charged cost if nothing was settled: 0 for a denied operation, the minimum for a dry run.
   * @default requestedCost
   */
  chargedCost?: number | undefined;
  tier: Tier;
  mode: 'ENFORCE' | 'SHADOW';
  /**
   * Name of the limit that would have denied the operation if the protection were not in shadow
   * mode.
   */
  wouldBeDeniedBy?: string | undefined;
  degraded: boolean;
  /**
   * Milliseconds by which the clock that resets limits is ahead of the clock of this process.
   * @default 0
   */
  clockAheadMs?: number;
  approximate?: boolean | undefined;
  /** Limits that the response reports. */
  outcomes: readonly LimitOutcome[];
  /** Id of the limit that denied the operation. */
  deniedBy?: string | undefined;
  fields?: readonly FieldCost[] | undefined;
  fee?: number | undefined;
  /** Whether the response warns that the document is not registered. @default false */
  isUnregistered?: boolean;
}

/** `extensions.document` of a response whose operation has a document that is not registered. */
export const UNREGISTERED_NOTE = {
  registered: false,
  warning: 'Documents that are not registered will be rejected',
} as const;

/** Builds `extensions.cost`. Returns undefined for callers on a tier whose `answer` is `NONE`. */
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
  } else {
    if (parts.mode === 'SHADOW') extension.mode = 'SHADOW';
    if (parts.degraded) extension.degraded = true;
  }
  if (parts.mode === 'SHADOW' && parts.wouldBeDeniedBy !== undefined)
    extension.shadow = { wouldDeny: parts.wouldBeDeniedBy };
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
  if (extension.throttleStatus === null && parts.tier.capacity === null) extension.unlimited = true;
  if (limits.length > 0 || detail === 'FULL') extension.limits = limits;
  if (parts.fee !== undefined) extension.fee = parts.fee;
  if (parts.fields) extension.fields = parts.fields;
  return extension;
}

const knownTimes = new Map<number, string>();

/**
 * Formats a time in ISO 8601 and caches recent results. Windows of the same length end at the same
 * time, so most times repeat.
 */
function isoTime(timeMs: number): string {
  const known = knownTimes.get(timeMs);
  if (known !== undefined) return known;
  if (knownTimes.size >= 64) knownTimes.clear();
  const text = new Date(timeMs).toISOString();
  knownTimes.set(timeMs, text);
  return text;
}

/** Returns the refill rate in tokens per second, from the tier or from the subject's own bucket. */
function restoreRateOf({ parameters }: BoundLimit): number {
  const { refillAmount = 0, refillPeriodMs = 1 } = parameters;
  return (refillAmount * 1000) / refillPeriodMs;
}
