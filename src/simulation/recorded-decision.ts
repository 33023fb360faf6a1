import type { OperationType } from '../model/rule.js';
import type { Subject } from '../model/subject.js';
import type { LoggedDecision } from '../usage/query/read-decisions.js';
import type { RecordedField } from './recorded-plan.js';

/** A decision of the past, as far as it can be made again. */
export interface RecordedDecision {
  /** Epoch milliseconds. */
  atMs: number;
  subject: Subject;
  operationType: OperationType;
  operationName: string | undefined;
  client: string | undefined;
  /** Equal for the operations of one batch; null outside of batches. */
  batch: number | null;
  denied: boolean;
  estimatedCost: number;
  estimatedFields: readonly RecordedField[];
  /** Null where the estimate stands, and where it was denied. */
  actualCost: number | null;
  actualFields: readonly RecordedField[];
  /** In the order of `RECORDED_AMOUNTS`; null: not recorded. */
  estimatedAmounts: readonly number[] | null;
  /** Null where they are not known. */
  actualAmounts: readonly number[] | null;
  /** From the charge to its settlement. */
  durationMs: number;
  /** The share of callers whose decisions were kept then. */
  sampled: number;
}

/** What became of a decision when it was made again. */
export interface ReplayedVerdict {
  admitted: boolean;
  /** The rule that is tried out refused, alone or with others. */
  refusedByRule: boolean;
  delayMs: number;
}

/** Reads a row of the log. */
export function toRecorded(row: LoggedDecision): RecordedDecision {
  const [capacity, refillAmount, refillPeriodMs] = row.own_bucket ?? [];
  const bucket = capacity && refillAmount && refillPeriodMs ? { capacity, refillAmount, refillPeriodMs } : undefined;
  const subject: Subject = {
    tier: row.tier,
    ...(row.user_id !== null && { user: row.user_id }),
    ...(row.tenant_id !== null && { tenant: row.tenant_id }),
    ...(row.api_key !== null && { apiKey: row.api_key }),
    ...(row.ip !== null && { ip: row.ip }),
    ...(bucket && { bucket }),
  };
  return {
    atMs: row.at.getTime(),
    subject,
    operationType: row.operation_type,
    operationName: row.operation_name ?? undefined,
    client: row.client ?? undefined,
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
  };
}
