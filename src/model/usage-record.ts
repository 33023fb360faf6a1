import type { BucketParameters } from './limit-parameters.js';
import type { Scope } from './subject.js';

/** One operation that was answered, as the recorder is told of it. It is read after the answer has gone out. */
export interface UsageRecord {
  /** When it was decided: epoch milliseconds. */
  atMs: number;
  /** From then to the answer. */
  durationMs: number;
  subject: RecordedSubject;
  /** A tier's name. */
  tier: string;
  /** UNPRICED: it paid the flat fee of what is never priced. */
  operationType: 'QUERY' | 'MUTATION' | 'SUBSCRIPTION' | 'UNPRICED';
  operationName: string | undefined;
  client: string | undefined;
  /** Equal for the operations of one batch, which were charged as one. */
  batchId: number | undefined;
  /** Undefined when it was admitted. */
  denial: 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE' | undefined;
  /** The rule, or `tier:NAME`, that denied it. */
  deniedBy: string | undefined;
  degraded: boolean;
  /** What was charged, or was to be charged. */
  estimatedCost: number;
  /** What the charge was corrected to; undefined where the estimate stands, and when denied. */
  actualCost: number | undefined;
  /** What applied to it, as it was decided. */
  limits: readonly RecordedLimit[];
  /** What it selects; undefined when that is not known. */
  fields: RecordedFields | undefined;
  /** What was asked for, without what the caller has written into it; undefined where it never got a price. */
  outline?: RecordedOutline | undefined;
  /** Lets go of the response, which is kept alive as long as the record is: `fields.measured` will not be asked for. */
  forgetResponse?(): void;
}

/** Worked out when asked for. */
export interface RecordedOutline {
  /** Of operations with the same one the document is the same. */
  readonly plan: object;
  /** Letters of the document as it was sent. */
  readonly documentLength: number;
  /** The document, printed. Takes as long as printing it. */
  document(): string;
  /** The variables in their shape, with nothing in them but what sizes lists; undefined: they are too many. */
  variables(): Readonly<Record<string, unknown>> | undefined;
}

export interface RecordedSubject {
  user?: string;
  tenant?: string;
  apiKey?: string;
  ip?: string;
  /** In place of the tier's bucket. */
  bucket?: BucketParameters;
}

export interface RecordedLimit {
  rule: string;
  scope: Scope;
  field: string;
  /** What this limit was asked for: tokens, calls or requests. */
  charge: number;
  /** What that was corrected to; undefined where it stands. */
  actual: number | undefined;
  limit: number;
  used: number;
  remaining: number;
  /** 0 where waiting does not help. */
  retryAfterMs: number;
  /** It is in shadow, and would have denied the operation. */
  wouldDeny: boolean;
}

export interface FieldNumbers {
  readonly coordinate: string;
  readonly calls: number;
  readonly cost: number;
}

/** Each at the index of its coordinate; also fields that did not come. */
export interface FieldSums {
  readonly coordinates: readonly string[];
  readonly calls: readonly number[];
  readonly costs: readonly number[];
}

/** What is counted of operations beside tokens and calls. */
export const RECORDED_AMOUNTS = ['NODES', 'TYPE_COST', 'FIELD_COST'] as const;

/** What an operation comes to in one of them. */
export interface RecordedAmount {
  readonly total: number;
  /** Each without what is selected below it. */
  readonly fields: readonly FieldNumbers[];
}

/** Worked out when asked for. */
export interface RecordedFields {
  /**
   * The most calls and the highest own cost, without what is selected below. It never changes: operations that are given the
   * same array are counted together.
   */
  estimated(): readonly FieldNumbers[];
  /**
   * The same, as they came to be; undefined where the estimate stands. Operations that share the array of coordinates are
   * added up together.
   */
  actual(): FieldSums | undefined;
  /** For each field what a limit on it alone would be charged, by the estimate and in the end. Looks at the response. */
  measured(): readonly MeasuredField[];
  /** Steps of work that this takes before the first answer; 0 where that is done. */
  measuringSteps(): number;
  /** In the order of `RECORDED_AMOUNTS`. Looks at the response. */
  amounts(): MeasuredAmounts;
}

export interface MeasuredAmounts {
  readonly estimated: readonly RecordedAmount[];
  /** Undefined where the estimate stands. */
  readonly actual: readonly RecordedAmount[] | undefined;
}

interface MeasuredField {
  coordinate: string;
  estimated: { calls: number; cost: number };
  /** Undefined where the estimate stands. */
  actual: { calls: number; cost: number } | undefined;
}
