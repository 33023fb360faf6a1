/** The caller's budget as an answer reports it, whichever API it came from. */
export interface BudgetReport {
  /** Price that the operation was admitted or denied with, in tokens; undefined: the API does not say. */
  requestedCost?: number | undefined;
  /** Bucket after the operation; undefined: the answer does not speak of this caller's bucket. */
  bucket?: BucketReport | undefined;
  /** Denial of the operation before any of it ran, after which it may be sent again. */
  denial?: DenialReport | undefined;
}

export interface BucketReport {
  capacity: number;
  available: number;
  restorePerSecond: number;
  /** Milliseconds until the whole bucket is full at once, as a fixed window is at its end. */
  resetAfterMs?: number | undefined;
}

export interface DenialReport {
  /** Milliseconds until the same operation passes; undefined: the API does not say. */
  retryAfterMs?: number | undefined;
  /** Name of the limit that denied, for logs. */
  deniedBy?: string | undefined;
  /** Whether the API denies all operations of this caller until then. Otherwise only the denied operation waits. */
  isForAll?: boolean | undefined;
  /** Whether the limit counts operations in flight, so that the end of one may make room before the wait is over. */
  isConcurrency?: boolean | undefined;
}

/** A GraphQL answer, as far as budgets are concerned. */
export interface GraphqlAnswer {
  data?: unknown;
  errors?: readonly GraphqlAnswerError[] | undefined;
  extensions?: Readonly<Record<string, unknown>> | undefined;
}

export interface GraphqlAnswerError {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  readonly path?: unknown;
}

/** What stands beside an answer, where it came over HTTP. */
export interface HttpAnswer {
  status: number;
  header(name: string): string | null;
}

/** Reads the budget out of an answer. Must not throw, whatever comes. */
export type ReadBudget = (answer: GraphqlAnswer | undefined, http?: HttpAnswer) => BudgetReport;
