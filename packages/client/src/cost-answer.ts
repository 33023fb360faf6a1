/**
 * Types of the information in responses of a protected API: `extensions.cost` and the extensions of
 * errors.
 */

/**
 * `extensions.cost` of a response. Optional members are in full responses only, unless noted
 * otherwise.
 */
export interface CostExtension {
  /** Price before the operation runs: the maximum cost that it can have. */
  requestedQueryCost: number;
  /** Price of the actual result. Null: the estimate stands. */
  actualQueryCost: number | null;
  /** Fee that a rejected operation was charged instead of a price. It is in all responses. */
  fee?: number;
  /**
   * Token bucket of the caller after this operation. Null for callers without one. Rates are in
   * tokens per second.
   */
  throttleStatus: ThrottleStatus | null;
  tier?: string;
  /** In brief responses it is only present if it is `SHADOW`. */
  mode?: 'ENFORCE' | 'SHADOW';
  /** Present if the API is in shadow mode and a limit would have denied the operation. */
  shadow?: {
    /** Name of that limit. */
    wouldDeny: string;
  };
  /**
   * Whether a limit was decided without its shared counter. In brief responses it is only present
   * if true.
   */
  degraded?: boolean;
  /**
   * Whether leased tokens covered a part of the charge. The remaining amounts are then as one
   * instance knows them.
   */
  approximate?: true;
  /**
   * The other limits that applied. A brief response only has the limit that is nearest to a denial.
   */
  limits?: readonly LimitAnswer[];
}

export interface ThrottleStatus {
  maximumAvailable: number;
  currentlyAvailable: number;
  restoreRate: number;
}

/** One of the other limits that applied. */
export interface LimitAnswer {
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
 * again. On a tier that shows no numbers, callers only get `code` and `retryAfterMs`.
 */
export interface ThrottledExtensions {
  code: 'THROTTLED';
  /**
   * Wait in milliseconds after which the same operation is admitted, if nothing else happens
   * meanwhile. Absent: unknown. It is an estimate if a concurrency limit denied.
   */
  retryAfterMs?: number;
  /**
   * Whether only limits on concurrent operations denied. The end of another operation may then make
   * room earlier.
   */
  isConcurrency?: true;
  deniedBy?: string;
  /** Amount that the operation needs, in `unit`; `available` is the amount that is left. */
  requested?: number;
  available?: number;
  unit?: LimitUnit | (string & {});
  /** Maximum cost of an operation that would be admitted now. */
  maxAdmissibleCost?: number;
}

/** Units of the limits that this version of Tollgate has. */
export type LimitUnit = 'TOKENS' | 'CALLS' | 'REQUESTS' | 'NODES' | 'TYPE_COST' | 'FIELD_COST';

/** All error codes in responses to an operation. */
export type ErrorCode =
  | 'THROTTLED'
  | 'MAX_COST_EXCEEDED'
  | 'TOO_MANY_LIMITS'
  | 'UNAVAILABLE'
  | 'DOCUMENT_LIMIT_EXCEEDED'
  | 'PAYLOAD_TOO_LARGE'
  | 'HEADERS_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  | 'METHOD_NOT_ALLOWED'
  | 'BAD_REQUEST'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'IDENTITY_UNAVAILABLE'
  | 'IDENTIFY_FAILED'
  | 'BAD_USER_INPUT'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_INVALID_ANSWER'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_OVERLOADED'
  | 'COST_SLICING_ARGUMENT'
  | 'MAX_LIST_SIZE_EXCEEDED'
  | 'OPERATION_TOO_COMPLEX';
