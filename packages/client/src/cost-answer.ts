/** What a protected API says of itself: the types of `extensions.cost` and of the errors' extensions. */

/** `extensions.cost` of an answer. What is optional is in full answers alone, unless it says otherwise. */
export interface CostExtension {
  /** The price before it ran: the largest cost that the operation can have. */
  requestedQueryCost: number;
  /** The price of what it produced; null where the estimate stands. */
  actualQueryCost: number | null;
  /** In any answer: what was paid instead of a price, by an operation that was refused for good. */
  fee?: number;
  /** The caller's token bucket after this operation; null for callers without one. Rates are tokens per second. */
  throttleStatus: ThrottleStatus | null;
  tier?: string;
  mode?: 'ENFORCE' | 'SHADOW';
  /** A limit was decided without its shared counter; in brief answers only where that is true. */
  degraded?: boolean;
  /** Tokens that were taken ahead paid for some of it: what is left is as one instance knows it. */
  approximate?: true;
  /** The other limits that applied; in brief answers the one of them that is nearest to denying. */
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
  /** ISO 8601. */
  resetAt: string;
}

/**
 * `extensions` of an error with code `THROTTLED`: no resolver has run, so that the operation may be sent again. Callers whom
 * a tier tells no numbers get `code` and `retryAfterMs` alone.
 */
export interface ThrottledExtensions {
  code: 'THROTTLED';
  /**
   * Waiting so long admits the same operation, if nothing else happens meanwhile; absent: it is not known. It is an estimate
   * where a concurrency limit denied.
   */
  retryAfterMs?: number;
  /** Only limits on how many operations run at the same time denied: the end of another operation may make room earlier. */
  isConcurrency?: true;
  deniedBy?: string;
  /** What the operation needs, and what there is, in `unit`. */
  requested?: number;
  available?: number;
  unit?: LimitUnit | (string & {});
  /** The largest operation that would be admitted now. */
  maxAdmissibleCost?: number;
}

/** What the limits count that Tollgate knows today. */
export type LimitUnit = 'TOKENS' | 'CALLS' | 'REQUESTS' | 'NODES' | 'TYPE_COST' | 'FIELD_COST';

/** Every code of an answer to an operation. */
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
