import type { FieldCost } from '../../cost/cost-plan.js';
import type { CalendarPeriod, LimitState } from '../../model/limit-parameters.js';
import type { AnswerDetail, Tier } from '../../model/rule.js';
import { isKeyBudget } from '../../rules/matching/prepare-rule.js';
import { enforcedParameters, isOfTier, isTierBucket, type LimitOutcome } from './limit-outcome.js';

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
   * that was only priced, the first part of an incremental response, or a client that disconnected.
   */
  actualQueryCost: number | null;
  /**
   * State of the tier bucket after this operation; null if the caller has no tier bucket.
   * `restoreRate` is in tokens per second.
   */
  throttleStatus: BucketStatus | null;
  /** State of the bucket of the API key after this operation, if the key has a bucket. */
  keyStatus?: BucketStatus;
  /**
   * State of the budget of the tier after this operation, if the tier has a budget. A period
   * includes `amount` tokens. `used` counts the tokens of the current period, and `overage` is the
   * part of `used` above `amount`. `carriedOver` is the remainder of the previous period, which is
   * used first. `resetsAt` is the end of the period.
   */
  budget?: BudgetStatus;
  /** State of the calendar budget of the API key, if the key has one, in the form of `budget`. */
  keyBudget?: BudgetStatus;
  /**
   * Present if neither the tier nor the API key of the caller has a bucket or a budget. Exempt
   * operations do not have it, because the next operation may not be exempt.
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
  /** Part of `actualQueryCost` that resolvers reported (`addCost`). Present if they reported any. */
  reportedCost?: number;
  /**
   * Time for which the operation waited for a concurrency slot, in milliseconds. Present if it
   * waited.
   */
  waitedMs?: number;
  /**
   * Limits other than the buckets and budgets of the tier and the API key. Full responses list all
   * limits that applied, narrowest field first. Brief responses list only the limit that denied the
   * operation or is closest to a denial. They omit the property if no other limit applied.
   */
  limits?: LimitAnswer[];
  /**
   * Number of calls and own cost of each field. Present only if the caller requested it and is
   * allowed to see it.
   */
  fields?: readonly FieldCost[];
}

/** Region whose part of a split limit a response reports. */
interface RegionAnswer {
  name: string;
  /** Limit of all regions together. */
  wholeLimit: number;
}

/** Members of each limit in a response. */
interface InRegion {
  /** Present if the limit is split between regions. The other numbers are those of this region. */
  region?: RegionAnswer;
}

interface BucketStatus extends InRegion {
  maximumAvailable: number;
  currentlyAvailable: number;
  restoreRate: number;
}

interface BudgetStatus extends InRegion {
  amount: number;
  used: number;
  overage: number;
  carriedOver?: number;
  resetsAt: string;
  every: CalendarPeriod;
  timeZone: string;
}

interface LimitAnswer extends InRegion {
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
  /** Part of the actual cost that resolvers reported. */
  reportedCost?: number | undefined;
  /** Time for which the operation waited for a concurrency slot, in milliseconds. */
  waitedMs?: number | undefined;
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
  if (parts.reportedCost !== undefined) extension.reportedCost = parts.reportedCost;
  if (parts.waitedMs !== undefined) extension.waitedMs = parts.waitedMs;
  if (parts.mode === 'SHADOW' && parts.wouldBeDeniedBy !== undefined)
    extension.shadow = { wouldDeny: parts.wouldBeDeniedBy };
  const limits: LimitAnswer[] = [];
  for (const outcome of parts.outcomes) {
    const { limit, state } = outcome;
    if (isTierBucket(outcome)) {
      extension.throttleStatus = bucketStatus(outcome);
      continue;
    }
    if (isKeyBudget(limit)) {
      if (limit.parameters.algorithm === 'CALENDAR_WINDOW') extension.keyBudget = budgetStatus(outcome);
      else extension.keyStatus = bucketStatus(outcome);
      continue;
    }
    if (isOfTier(limit)) {
      extension.budget = budgetStatus(outcome);
      continue;
    }
    limits.push({
      rule: limit.ruleName,
      scope: limit.scope,
      field: limit.pattern.text,
      limit: state.limit,
      remaining: state.remaining,
      resetAt: isoTime(state.resetAtMs),
      ...inRegion(state),
    });
  }
  const { capacity, budget } = parts.tier;
  const hasKeyBudget = extension.keyStatus !== undefined || extension.keyBudget !== undefined;
  const isUnlimited = capacity === null && budget === null && !hasKeyBudget;
  if (extension.throttleStatus === null && isUnlimited) extension.unlimited = true;
  if (limits.length > 0 || detail === 'FULL') extension.limits = limits;
  if (parts.fee !== undefined) extension.fee = parts.fee;
  if (parts.fields) extension.fields = parts.fields;
  return extension;
}

/** Returns the member `region` of a limit, if the limit is split between regions. */
export function inRegion({ part }: Pick<LimitState, 'part'>): InRegion | undefined {
  return part && { region: { name: part.region, wholeLimit: part.wholeLimit } };
}

function bucketStatus(outcome: LimitOutcome): BucketStatus {
  const { limit, remaining } = outcome.state;
  return {
    maximumAvailable: limit,
    currentlyAvailable: remaining,
    restoreRate: restoreRateOf(outcome),
    ...inRegion(outcome.state),
  };
}

function budgetStatus(outcome: LimitOutcome): BudgetStatus {
  const { amount = 0, every = 'MONTH', timeZone = 'UTC' } = enforcedParameters(outcome);
  const { state } = outcome;
  const { carriedOver = 0, overage = 0 } = state;
  return {
    amount,
    used: state.used,
    overage,
    ...(carriedOver > 0 && { carriedOver }),
    resetsAt: isoTime(state.resetAtMs),
    every,
    timeZone,
    ...inRegion(state),
  };
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

/** Returns the refill rate of a bucket in tokens per second. */
function restoreRateOf(outcome: LimitOutcome): number {
  const { refillAmount = 0, refillPeriodMs = 1 } = enforcedParameters(outcome);
  return (refillAmount * 1000) / refillPeriodMs;
}
