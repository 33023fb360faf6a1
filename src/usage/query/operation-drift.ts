import type { Queryable } from '../../postgres/db.js';
import type { UsageOperationType } from '../record/usage-levels.js';
import type { UsageOperation } from './read-usage.js';
import { sums, type TopRequest, unionOf } from './top-request.js';
import { createParameters } from './usage-filter.js';

/** Estimated and actual cost of the admitted operations. */
interface Drift {
  /** Number of admitted operations. */
  requests: number;
  /** In tokens, as is `actualCost`. */
  estimatedCost: number;
  actualCost: number;
}

export interface OperationDrift extends Drift {
  operation: UsageOperation;
}

/** Costs of a field without the fields selected below it. */
export interface FieldDrift extends Drift {
  field: string;
  estimatedCalls: number;
  actualCalls: number;
}

type DriftRequest = Pick<TopRequest, 'parts' | 'filter' | 'limit'>;

/**
 * Returns operations with the largest difference between estimated and actual cost, in tokens,
 * largest first.
 */
export async function readOperationDrift(db: Queryable, request: DriftRequest): Promise<OperationDrift[]> {
  const parameters = createParameters();
  const columns = ['requests', 'denied', 'estimated_cost', 'actual_cost'];
  const rows = await db.query<DriftRow & { type: UsageOperationType; name: string }>(
    `with drift as (
       select operation_id, ${sums(columns)} from (${unionOf(['operation_id'], columns, request, parameters)}) as usage
       group by operation_id having sum(estimated_cost) > 0
       order by abs(sum(estimated_cost) - sum(actual_cost)) desc, operation_id limit ${parameters.add(request.limit)}
     )
     select drift.*, operation.type, operation.name
     from drift join usage_operations operation on operation.id = operation_id
     order by abs(estimated_cost - actual_cost) desc, operation_id`,
    parameters.values,
  );
  return rows.map((row) => ({ ...toDrift(row), operation: { type: row.type, name: row.name || null } }));
}

/**
 * Returns the fields with the largest difference between the actual cost of their calls and the
 * estimated cost of the same number of calls. Estimated calls that did not happen are ignored.
 * Their number depends on the lists above the field, and not on the price of the field.
 */
export async function readFieldDrift(db: Queryable, request: DriftRequest): Promise<FieldDrift[]> {
  const parameters = createParameters();
  const columns = ['requests', 'denied', 'estimated_calls', 'actual_calls', 'estimated_cost', 'actual_cost'];
  const drift =
    'abs(actual_calls::float8 * estimated_cost / nullif(estimated_calls, 0) - actual_cost) desc nulls last, field_id';
  const rows = await db.query<DriftRow & { estimated_calls: number; actual_calls: number; coordinate: string }>(
    `with totals as (
       select field_id, ${sums(columns)} from (${unionOf(['field_id'], columns, request, parameters)}) as usage
       group by field_id having sum(estimated_cost) > 0
     ), drift as (
       select * from totals order by ${drift} limit ${parameters.add(request.limit)}
     )
     select drift.*, field.coordinate from drift join usage_fields field on field.id = field_id order by ${drift}`,
    parameters.values,
  );
  return rows.map((row) => ({
    ...toDrift(row),
    field: row.coordinate,
    estimatedCalls: row.estimated_calls,
    actualCalls: row.actual_calls,
  }));
}

interface DriftRow {
  requests: number;
  denied: number;
  estimated_cost: number;
  actual_cost: number;
}

function toDrift({ requests, denied, estimated_cost, actual_cost }: DriftRow): Drift {
  return { requests: requests - denied, estimatedCost: estimated_cost, actualCost: actual_cost };
}
