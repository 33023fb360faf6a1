/** The caller's budget as a response reports it, for any supported API. */
export interface BudgetReport {
  /**
   * Price with which the operation was admitted or denied, in tokens. Undefined if the API does not
   * report it.
   */
  requestedCost?: number | undefined;
  /**
   * Bucket after the operation. Undefined if the response does not report the bucket of this
   * caller. Null if the caller has no bucket, so that operations need not be paced.
   */
  bucket?: BucketReport | null | undefined;
  /** Denial of the operation. No part of it has run, so it may be sent again. */
  denial?: DenialReport | undefined;
}

export interface BucketReport {
  capacity: number;
  available: number;
  restorePerSecond: number;
  /**
   * Milliseconds until the bucket becomes full in one step, such as at the end of a fixed window.
   */
  resetAfterMs?: number | undefined;
}

export interface DenialReport {
  /**
   * Milliseconds until the same operation would be admitted. Undefined if the API does not report
   * it.
   */
  retryAfterMs?: number | undefined;
  /** Name of the limit that denied the operation, for logs. */
  deniedBy?: string | undefined;
  /**
   * Whether the API denies all operations of this caller until `retryAfterMs` has passed. Otherwise
   * only the denied operation waits.
   */
  isForAll?: boolean | undefined;
  /**
   * Whether the limit counts operations in flight. The denied operation may then be admitted
   * earlier, when another operation ends.
   */
  isConcurrency?: boolean | undefined;
}

/** The parts of a GraphQL response that budgets depend on. */
export interface GraphqlAnswer {
  data?: unknown;
  errors?: readonly GraphqlAnswerError[] | undefined;
  extensions?: Readonly<Record<string, unknown>> | undefined;
}

export interface GraphqlAnswerError {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  readonly path?: unknown;
}

/** The HTTP status and headers of a response. */
export interface HttpAnswer {
  status: number;
  header(name: string): string | null;
}

/**
 * Reads the budget from a response. It must not throw, even if the response has an unexpected form.
 */
export type ReadBudget = (answer: GraphqlAnswer | undefined, http?: HttpAnswer) => BudgetReport;
