import type { AskedBy } from './asked-by.js';
import type { BucketParameters, KeyBudget } from './limit-parameters.js';
import type { Scope } from './subject.js';

/**
 * A completed operation, as passed to the usage recorder. The recorder reads it after the response
 * was sent.
 */
export interface UsageRecord {
  /** Time at which the pricing of the operation began, in epoch milliseconds. */
  atMs: number;
  /** Time from the start of the pricing to the response, in milliseconds. */
  durationMs: number;
  subject: RecordedSubject;
  /** Name of the tier. */
  tier: string;
  /** Type of the operation. UNPRICED: a request without a price, which was charged the flat fee. */
  operationType: 'QUERY' | 'MUTATION' | 'SUBSCRIPTION' | 'UNPRICED';
  operationName: string | undefined;
  client: string | undefined;
  /** Whether the caller is an agent, by the kind of its key or by the name of its client. */
  isAgent: boolean;
  /**
   * App and version that have registered the document. Null if it is not registered; undefined for a
   * request without a price.
   */
  document?: Readonly<Record<'app' | 'version', string>> | null | undefined;
  /** Undefined if this process executes the operation or forwards it. */
  askedBy?: AskedBy | undefined;
  /** Number that the operations of one batch share. They were charged together. */
  batchId: number | undefined;
  /** Code of the denial; undefined if the operation was admitted. */
  denial: 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE' | undefined;
  /** Rule that denied the operation, or another value of `DecisionRecord.deniedBy`. */
  deniedBy: string | undefined;
  degraded: boolean;
  /** Amount that was charged, or would have been charged. */
  estimatedCost: number;
  /**
   * Corrected amount of the charge; undefined if the charge was not corrected, and for a denial.
   */
  actualCost: number | undefined;
  /** Limits that applied to the operation, in their state after the decision. */
  limits: readonly RecordedLimit[];
  /** Fields that the operation selects; undefined if they are unknown. */
  fields: RecordedFields | undefined;
  /**
   * Operation without the values that the caller wrote into it; undefined if it was never priced.
   */
  outline?: RecordedOutline | undefined;
  /**
   * Releases the response, which the record otherwise keeps alive. `fields.measured` must not be
   * called afterwards.
   */
  forgetResponse?(): void;
}

/** Outline of an operation. It is computed on demand. */
export interface RecordedOutline {
  /** Object that is the same for operations with the same document. */
  readonly plan: object;
  /** Number of characters of the document as it was sent. */
  readonly documentLength: number;
  /** Prints the document and returns the text. */
  document(): string;
  /**
   * Returns the variables with placeholders in place of the caller's data. Numbers that set list
   * sizes and values for `@skip` and `@include` remain. Undefined if there are too many values.
   */
  variables(): Readonly<Record<string, unknown>> | undefined;
}

export interface RecordedSubject {
  user?: string;
  tenant?: string;
  apiKey?: string;
  ip?: string;
  /** Bucket that replaces the tier's bucket. */
  bucket?: BucketParameters;
  /** Budget of the API key. */
  keyBudget?: KeyBudget;
  /** Billing anchor of the caller, as `YYYY-MM-DD`. */
  billingAnchor?: string;
}

export interface RecordedLimit {
  rule: string;
  scope: Scope;
  field: string;
  /** Amount requested from this limit, in its unit, such as tokens or calls. */
  charge: number;
  /** Corrected amount; undefined if the charge was not corrected. */
  actual: number | undefined;
  limit: number;
  used: number;
  remaining: number;
  /** Time to wait in milliseconds; 0 if waiting does not help. */
  retryAfterMs: number;
  /** Whether this is a shadow limit that would have denied the operation. */
  wouldDeny: boolean;
}

export interface FieldNumbers {
  readonly coordinate: string;
  readonly calls: number;
  readonly cost: number;
}

/**
 * Numbers of fields. Each number is at the index of its field's coordinate. Fields that are not in
 * the response are included.
 */
export interface FieldSums {
  readonly coordinates: readonly string[];
  readonly calls: readonly number[];
  readonly costs: readonly number[];
}

/** Amounts of operations that are counted in addition to tokens and calls. */
export const RECORDED_AMOUNTS = ['NODES', 'TYPE_COST', 'FIELD_COST'] as const;

/** Sum of one of these amounts over an operation. */
export interface RecordedAmount {
  readonly total: number;
  /** Amount of each field, without the fields selected below it. */
  readonly fields: readonly FieldNumbers[];
}

/** Numbers of the fields of an operation. They are computed on demand. */
export interface RecordedFields {
  /**
   * Returns the largest number of calls and the highest own cost of each field, without the fields
   * selected below it. The array never changes: operations that share it are counted together.
   */
  estimated(): readonly FieldNumbers[];
  /**
   * Returns the actual numbers; undefined if the estimate was not corrected. Operations that share
   * the array of coordinates are summed together.
   */
  actual(): FieldSums | undefined;
  /**
   * Returns, for each field, the estimated and the actual charge of a limit on this field alone. It
   * reads the response.
   */
  measured(): readonly MeasuredField[];
  /** Returns the number of steps that the first call of `measured` takes; 0 after that call. */
  measuringSteps(): number;
  /** Returns the amounts in the order of `RECORDED_AMOUNTS`. It reads the response. */
  amounts(): MeasuredAmounts;
}

export interface MeasuredAmounts {
  readonly estimated: readonly RecordedAmount[];
  /** Actual amounts; undefined if the estimate was not corrected. */
  readonly actual: readonly RecordedAmount[] | undefined;
}

interface MeasuredField {
  coordinate: string;
  estimated: { calls: number; cost: number };
  /** Actual numbers; undefined if the estimate was not corrected. */
  actual: { calls: number; cost: number } | undefined;
}
