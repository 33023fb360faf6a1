import type { Scope } from '../../model/subject.js';
/** The rows of `migrations/0003_usage.sql`. Counts above 2^53 would come as bigint; no sum of costs gets there. */

/** Usage by minute, hour and day: `bucket` is the start, in UTC. All levels are written in one transaction. */
export const USAGE_LEVELS = ['minute', 'hour', 'day'] as const;
export type UsageLevel = (typeof USAGE_LEVELS)[number];

export type UsageSubjectKind = 'USER' | 'API_KEY' | 'IP' | 'OTHER';

export type UsageOperationType = 'QUERY' | 'MUTATION' | 'SUBSCRIPTION' | 'UNPRICED' | 'OTHER';

export interface UsageCounts {
  /** Admitted and denied. */
  requests: number;
  denied: number;
  /** Admitted, though a shadow rule would have denied them. */
  shadow_denied: number;
  degraded: number;
  /** Of the admitted: what was charged first. */
  estimated_cost: number;
  /** Of the admitted: what was charged in the end. */
  actual_cost: number;
  /** What the denied would have cost. */
  denied_cost: number;
}

/** Tables `usage_field_minute`, `_hour`, `_day`; `usage_fields` has the coordinates. Costs without what is below. */
export interface UsageFieldRow {
  bucket: Date;
  field_id: number;
  requests: number;
  denied: number;
  /** The admitted: how often it was to be resolved at most, and how often it was. */
  estimated_calls: number;
  actual_calls: number;
  estimated_cost: number;
  actual_cost: number;
}

/** Who asked what, as both logs have it. */
interface CallerColumns {
  id: number;
  at: Date;
  tenant_id: string | null;
  user_id: string | null;
  api_key: string | null;
  ip: string | null;
  tier: string;
  operation_name: string | null;
  client: string | null;
  degraded: boolean;
}

/** Table `events`. */
export interface EventRow extends CallerColumns {
  kind: 'DENIED' | 'SHADOW_DENIED' | 'DEGRADED';
  /** Null unless DENIED. */
  code: 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE' | null;
  /** Null when DEGRADED, as are the numbers of the limit below. */
  rule: string | null;
  operation_type: Exclude<UsageOperationType, 'OTHER'>;
  requested_cost: number;
  scope: Scope | null;
  field: string | null;
  /** What the limit was asked for. */
  charge: number | null;
  limit_amount: number | null;
  used: number | null;
  remaining: number | null;
  /** Null where waiting does not help. */
  retry_after_ms: number | null;
  /** The hash of a row of `denied_documents`, which may be gone; null: not kept. */
  document: string | null;
  /** The variables as JSON, without what callers wrote into them; null: not kept. */
  variables: string | null;
}

/** Table `decisions`: one operation, with every fact that a rule can ask for. */
export interface DecisionRow extends CallerColumns {
  operation_type: 'QUERY' | 'MUTATION' | 'SUBSCRIPTION';
  /** Capacity, refill amount, refill period in ms; null: the tier's. */
  own_bucket: number[] | null;
  /** Equal for the operations of one batch, which are charged as one. */
  batch: number | null;
  verdict: 'ADMITTED' | 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE';
  denied_by: string | null;
  estimated_cost: number;
  /** Null where the estimate stands, and when denied. */
  actual_cost: number | null;
  /** From the decision to the answer. */
  duration_ms: number;
  /** Groups of `DECISION_FIELD_WIDTH` numbers: see there. */
  fields: number[];
  /** Objects, type cost and field cost: see `DECISION_AMOUNTS`. Null: not recorded, as before migration 0014. */
  amounts: number[] | null;
  /** The share of callers whose decisions were kept then; 1: all. */
  sampled: number;
}

/**
 * For each field: its id in `usage_fields`, the most calls, the most its outermost calls cost with what is below them,
 * and both as they came to be; -1 where that is not known.
 */
export const DECISION_FIELD_WIDTH = 5;

/**
 * So many amounts: of the operation what each is at most, and what each came to be, -1 where that is not known. Then for each
 * field that has any of them its place in `fields`, from 0, and the same numbers of the field without what is below it.
 */
export const DECISION_AMOUNTS = 3;
