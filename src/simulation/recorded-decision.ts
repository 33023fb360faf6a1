import type { BucketParameters } from '../model/limit-parameters.js';
import type { OperationType } from '../model/rule.js';
import type { Subject } from '../model/subject.js';
import type { LoggedDecision } from '../usage/query/read-decisions.js';
import type { RecordedField } from './recorded-plan.js';

/** Past decision with the data that a replay needs. */
export interface RecordedDecision {
  /** Time at which the pricing of the operation began, in epoch milliseconds. */
  atMs: number;
  subject: Subject;
  operationType: OperationType;
  operationName: string | undefined;
  client: string | undefined;
  /** Whether the caller was an agent. Null if not recorded. */
  agent: boolean | null;
  /** App and version of the registered document. Undefined if it is not registered, null if not recorded. */
  document: Readonly<Record<'app' | 'version', string>> | null | undefined;
  /** Number that is equal for the operations of one batch. Null outside of batches. */
  batch: number | null;
  denied: boolean;
  estimatedCost: number;
  estimatedFields: readonly RecordedField[];
  /** Actual cost. Null if the estimate was not corrected, or if the operation was denied. */
  actualCost: number | null;
  actualFields: readonly RecordedField[];
  /** Estimated amounts in the order of `RECORDED_AMOUNTS`. Null if not recorded. */
  estimatedAmounts: readonly number[] | null;
  /** Actual amounts. Null if unknown. */
  actualAmounts: readonly number[] | null;
  /**
   * Time from the start of the pricing to the response, in milliseconds. A replay settles the
   * charge after this time.
   */
  durationMs: number;
  /** Share of callers whose decisions were recorded at that time. */
  sampled: number;
  /** Region of the server that decided. Null if it had none, or if it was not recorded. */
  region: string | null;
}

/** Verdict of a replayed decision. */
export interface ReplayedVerdict {
  admitted: boolean;
  /** Whether the tested rule denied, alone or with others. */
  deniedByRule: boolean;
  delayMs: number;
}

/** Converts a row of the log. */
export function toRecorded(row: LoggedDecision): RecordedDecision {
  const bucket = bucketOf(row.own_bucket);
  const keyBudget = row.key_calendar ? { calendar: row.key_calendar } : bucketOf(row.key_budget);
  const subject: Subject = {
    tier: row.tier,
    ...(row.user_id !== null && { user: row.user_id }),
    ...(row.tenant_id !== null && { tenant: row.tenant_id }),
    ...(row.api_key !== null && { apiKey: row.api_key }),
    ...(row.ip !== null && { ip: row.ip }),
    ...(bucket && { bucket }),
    ...(keyBudget && { keyBudget }),
    ...(row.billing_anchor !== null && { billingAnchor: row.billing_anchor }),
  };
  return {
    atMs: row.at.getTime(),
    subject,
    operationType: row.operation_type,
    operationName: row.operation_name ?? undefined,
    client: row.client ?? undefined,
    agent: row.agent,
    document: documentOf(row),
    batch: row.batch,
    denied: row.verdict !== 'ADMITTED',
    estimatedCost: row.estimated_cost,
    estimatedFields: row.estimatedFields,
    actualCost: row.actual_cost,
    actualFields: row.actualFields,
    estimatedAmounts: row.estimatedAmounts,
    actualAmounts: row.actualAmounts,
    durationMs: row.duration_ms,
    sampled: row.sampled,
    region: row.region,
  };
}

function documentOf({ app, app_version: version }: Pick<LoggedDecision, 'app' | 'app_version'>) {
  if (app === null || version === null) return null;
  return app === '' ? undefined : { app, version };
}

function bucketOf(numbers: readonly number[] | null): BucketParameters | undefined {
  const [capacity, refillAmount, refillPeriodMs] = numbers ?? [];
  return capacity && refillAmount && refillPeriodMs ? { capacity, refillAmount, refillPeriodMs } : undefined;
}
