/** What an answer says of the caller's budget, whichever API it came from. */
export interface BudgetReport {
  /** The price that the operation was admitted or denied with, in tokens. */
  requestedCost?: number | undefined;
  /** The bucket after the operation. */
  bucket?: BucketReport | undefined;
  /** The operation was denied before anything of it ran, and may be sent again. */
  denial?: DenialReport | undefined;
}

export interface BucketReport {
  capacity: number;
  available: number;
  restorePerSecond: number;
  /** When it is full again at once, as a window is that starts anew. */
  resetAfterMs?: number | undefined;
}

export interface DenialReport {
  /** When the same operation passes; undefined: the API does not say. */
  retryAfterMs?: number | undefined;
  /** The limit that denied, for logs. */
  deniedBy?: string | undefined;
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
