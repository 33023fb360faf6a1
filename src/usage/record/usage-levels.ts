import type { CalendarBudget } from '../../model/limit-parameters.js';
import type { Scope } from '../../model/subject.js';
/**
 * Row types of the tables that `migrations/0003_usage.sql` creates, with the columns that later
 * migrations add. The driver returns counts above 2^53 as bigint, but no sum of costs is that
 * large.
 */

/**
 * Periods for which usage is summed. Each level has its own tables, which have one row per period.
 * The column `bucket` is the start of the period in UTC. All levels are written in one transaction.
 */
export const USAGE_LEVELS = ['minute', 'hour', 'day'] as const;
export type UsageLevel = (typeof USAGE_LEVELS)[number];

export type UsageSubjectKind = 'USER' | 'API_KEY' | 'IP' | 'OTHER';

export type UsageOperationType = 'QUERY' | 'MUTATION' | 'SUBSCRIPTION' | 'UNPRICED' | 'OTHER';

export interface UsageCounts {
  /** Number of admitted and denied operations. */
  requests: number;
  denied: number;
  /** Number of admitted operations that a shadow rule would have denied. */
  shadow_denied: number;
  /** Number of operations that were decided without Redis, which was unavailable or too slow. */
  degraded: number;
  /** Estimated cost of the admitted operations. */
  estimated_cost: number;
  /** Actual cost of the admitted operations. */
  actual_cost: number;
  /** Estimated cost of the denied operations. */
  denied_cost: number;
}

/**
 * A row of the tables `usage_field_minute`, `_hour` and `_day`; `usage_fields` has the coordinates.
 * Costs exclude the fields below.
 */
export interface UsageFieldRow {
  bucket: Date;
  field_id: number;
  requests: number;
  denied: number;
  /** Maximum number of calls by the admitted operations. `actual_calls` is the actual number. */
  estimated_calls: number;
  actual_calls: number;
  estimated_cost: number;
  actual_cost: number;
}

/** The columns that the tables `events` and `decisions` have in common. */
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

/** A row of the table `events`. */
export interface EventRow extends CallerColumns {
  /**
   * Integration and server that asked for the decision. Null if the process itself executes the
   * operation, and for rows before migration 0034.
   */
  integration: string | null;
  service: string | null;
  /** Region of the server. Null if it has none, and for rows before migration 0042. */
  region: string | null;
  kind: 'DENIED' | 'SHADOW_DENIED' | 'DEGRADED';
  /** Code of the denial. Null unless `kind` is `DENIED`. */
  code: 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE' | null;
  /** Name of the rule. It is null for DEGRADED, as are the numbers of the limit below. */
  rule: string | null;
  operation_type: Exclude<UsageOperationType, 'OTHER'>;
  requested_cost: number;
  scope: Scope | null;
  field: string | null;
  /** Amount that the operation requested from the limit. */
  charge: number | null;
  limit_amount: number | null;
  used: number | null;
  remaining: number | null;
  /** Time until a retry can succeed, in milliseconds. Null if waiting does not help. */
  retry_after_ms: number | null;
  /**
   * Hash of a row of `denied_documents`, which may have been deleted. Null if no document was
   * stored.
   */
  document: string | null;
  /** Registered document: its app, version and id. Null if none, and for rows before migration 0036. */
  app: string | null;
  app_version: string | null;
  document_id: string | null;
  /** Variables as JSON, without the values that callers wrote into them. Null if not stored. */
  variables: string | null;
}

/** A row of the table `decisions`: one operation, with all properties that a rule can depend on. */
export interface DecisionRow extends CallerColumns {
  operation_type: 'QUERY' | 'MUTATION' | 'SUBSCRIPTION';
  /**
   * Capacity, refill amount and refill period (ms) of the caller's own bucket. Null if the tier's
   * bucket applies.
   */
  own_bucket: number[] | null;
  /** The same numbers of the bucket of the API key. Null if the key has none. */
  key_budget: number[] | null;
  /** Calendar budget of the API key. Null if the key has none. */
  key_calendar: CalendarBudget | null;
  /** Billing anchor, as `YYYY-MM-DD`. Null if there was none, or not recorded, as before migration 0031. */
  billing_anchor: string | null;
  /** Id of the batch, equal for its operations, which are charged together. */
  batch: number | null;
  verdict: 'ADMITTED' | 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE';
  denied_by: string | null;
  estimated_cost: number;
  /** Actual cost. Null if the estimate was not corrected, or if the operation was denied. */
  actual_cost: number | null;
  /** Time from the start of the pricing to the response, in milliseconds. */
  duration_ms: number;
  /** Groups of `DECISION_FIELD_WIDTH` numbers, one group per field. */
  fields: number[];
  /**
   * Objects, type cost and field cost, in the layout of `DECISION_AMOUNTS`. Null if not recorded,
   * as before migration 0014.
   */
  amounts: number[] | null;
  /** Whether the caller was an agent. Null if not recorded, as before migration 0023. */
  agent: boolean | null;
  /**
   * App and version that have registered the document; empty texts if it is not registered. Null if
   * not recorded, as before migration 0030.
   */
  app: string | null;
  app_version: string | null;
  /** Share of callers whose decisions were logged at that time. 1 stands for all callers. */
  sampled: number;
  /** Region of the server that decided. Null if it has none, and for rows before migration 0042. */
  region: string | null;
}

/**
 * Number of elements for each field in `fields` of a decision. The first three are its id in
 * `usage_fields`, the maximum number of calls, and the maximum cost of its outermost calls
 * including the fields below it. The last two are the actual number of calls and the actual cost,
 * -1 if unknown.
 */
export const DECISION_FIELD_WIDTH = 5;

/**
 * Number of recorded amounts. The list `amounts` of a decision begins with the maximum of each
 * amount of the operation, followed by the actual values (-1 if unknown). One group for each field
 * with an amount follows. A group contains the position of the field in `fields`, from 0, and the
 * same numbers without the fields below it.
 */
export const DECISION_AMOUNTS = 3;
