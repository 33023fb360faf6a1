/**
 * Types of the information in responses of a protected API: `extensions.cost` and the extensions of
 * errors.
 */

/**
 * `extensions.cost` of a response. The option `answer` of a tier selects full or brief responses.
 * Optional members are in full responses only, unless noted otherwise.
 */
export interface CostExtension {
  /** Price before the operation runs: the maximum cost that it can have. */
  requestedQueryCost: number;
  /** Cost of the actual result. Null if nothing ran, or if the charge stays at the estimate. */
  actualQueryCost: number | null;
  /**
   * Fee that a rejected operation was charged instead of its price. Brief responses contain it too.
   */
  fee?: number;
  /**
   * Token bucket of the caller after this operation. Null if the caller has none. Rates are in
   * tokens per second.
   */
  throttleStatus: ThrottleStatus | null;
  /**
   * Bucket of the API key after this operation, if the key has one. Brief responses contain it too.
   */
  keyStatus?: ThrottleStatus;
  /** Budget of the caller's tier after this operation. Brief responses contain it too. */
  budget?: BudgetStatus;
  /**
   * Calendar budget of the API key after this operation, if the key has one. Brief responses contain
   * it too.
   */
  keyBudget?: BudgetStatus;
  /**
   * Present if neither the tier nor the API key of the caller has a bucket or a budget. Brief
   * responses contain it too.
   */
  unlimited?: true;
  tier?: string;
  /** Mode of the API. Brief responses contain it only if it is `SHADOW`. */
  mode?: 'ENFORCE' | 'SHADOW';
  /** Present if the API is in shadow mode and a limit would have denied the operation. */
  shadow?: {
    /** Name of the limit that would have denied the operation. */
    wouldDeny: string;
  };
  /**
   * Whether at least one limit was decided without Redis. Brief responses contain it only if it is
   * true.
   */
  degraded?: boolean;
  /**
   * Whether leased tokens covered a part of the charge. The remaining amounts in the response are
   * then approximations by one instance.
   */
  approximate?: true;
  /** Part of `actualQueryCost` that resolvers reported. */
  reportedCost?: number;
  /** Time for which the operation waited for a concurrency slot, in milliseconds. */
  waitedMs?: number;
  /**
   * Limits that applied, other than the buckets and budgets of the tier and the API key. Brief
   * responses contain only the limit that denied the operation or is closest to a denial.
   */
  limits?: readonly LimitAnswer[];
}

/** Members of each limit in a response. */
interface InRegion {
  /**
   * Present if the limit is split between regions. The other numbers are those of this region, and
   * `wholeLimit` is the limit of all regions together.
   */
  region?: { name: string; wholeLimit: number };
}

export interface ThrottleStatus extends InRegion {
  maximumAvailable: number;
  currentlyAvailable: number;
  restoreRate: number;
}

/** Budget of a tier or an API key: tokens that may be spent in one period of the calendar. */
export interface BudgetStatus extends InRegion {
  /** Tokens that a period includes. */
  amount: number;
  /** Tokens that were used in the current period. */
  used: number;
  /** Part of `used` that exceeds `amount`. */
  overage: number;
  /** Remaining tokens of the previous period, which are used first. Absent if there are none. */
  carriedOver?: number;
  /** End of the period: a time in ISO 8601. */
  resetsAt: string;
  every: 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR';
  timeZone: string;
}

/** A limit that applied, other than the buckets and budgets of the tier and the API key. */
export interface LimitAnswer extends InRegion {
  rule: string;
  scope: string;
  field: string;
  limit: number;
  remaining: number;
  /** Time in ISO 8601. */
  resetAt: string;
}

/**
 * `extensions` of an error with code `THROTTLED`. No resolver has run, so the operation may be sent
 * again. Callers of a tier with `answer: NONE` receive only `code`, `retryAfterMs` and `retryAt`.
 */
export interface ThrottledExtensions {
  code: 'THROTTLED';
  /**
   * Milliseconds until the same operation would be admitted, if the caller sends nothing else
   * meanwhile. Absent if unknown. It is an estimate if a concurrency limit denied the operation.
   */
  retryAfterMs?: number;
  /** Time in ISO 8601: the time of the response plus `retryAfterMs`. */
  retryAt?: string;
  /**
   * Whether only concurrency limits denied the operation. The operation may then be admitted
   * earlier, when another operation ends.
   */
  isConcurrency?: true;
  deniedBy?: string;
  /** Amount that the operation needs, in `unit`. */
  cost?: number;
  /** Amount that the limit in `deniedBy` has if nothing is used. */
  limit?: number;
  /** Amount that this limit has left. */
  remaining?: number;
  unit?: LimitUnit | (string & {});
  /** Largest cost that the limit in `deniedBy` would admit now. */
  maxAffordableCost?: number;
  /** A smaller list with which the operation would be admitted now. Absent if there is none. */
  suggestion?: SizeSuggestion;
}

/** Largest value of an argument with which a denied operation would be admitted. */
export interface SizeSuggestion {
  /** Field and argument, such as `Query.users(first:)`. */
  argument: string;
  /** Name of the variable that sets the value. Absent for a number in the document. */
  variable?: string;
  /** Value in the denied operation. */
  current: number;
  largest: number;
}

/** Units of the limits in this version of Tollgate. */
export type LimitUnit =
  | 'TOKENS'
  | 'CALLS'
  | 'REQUESTS'
  | 'NODES'
  | 'TYPE_COST'
  | 'FIELD_COST'
  | 'SUBSCRIPTIONS'
  | 'CONNECTIONS';

/** All error codes in responses to an operation. */
export type ErrorCode =
  | 'THROTTLED'
  | 'MAX_COST_EXCEEDED'
  | 'TOO_MANY_LIMITS'
  | 'UNAVAILABLE'
  | 'UNDECIDED'
  | 'DOCUMENT_LIMIT_EXCEEDED'
  | 'DOCUMENT_NOT_FOUND'
  | 'DOCUMENT_NOT_REGISTERED'
  | 'DOCUMENT_STORE_UNAVAILABLE'
  | 'PAYLOAD_TOO_LARGE'
  | 'HEADERS_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'BAD_REQUEST'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'FIELD_NOT_ALLOWED'
  | 'IDENTITY_UNAVAILABLE'
  | 'IDENTIFY_FAILED'
  | 'SUBSCRIPTION_ENDED'
  | 'ENDED_BY_ADMINISTRATOR'
  | 'BAD_USER_INPUT'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_INVALID_ANSWER'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_OVERLOADED'
  | 'COST_SLICING_ARGUMENT'
  | 'MAX_LIST_SIZE_EXCEEDED'
  | 'OPERATION_TOO_COMPLEX';
