import { addStatements } from './add-statements.js';

/** Columns of the counts of usage. */
export const USAGE_COUNTS = [
  'requests',
  'denied',
  'shadow_denied',
  'degraded',
  'estimated_cost',
  'actual_cost',
  'denied_cost',
] as const;

/** Adds the usage of callers to the tables that have callers. */
export const USAGE_SQL = addStatements({ subject_id: 'bigint', operation_id: 'integer', tier: 'text' }, USAGE_COUNTS, [
  ['usage_minute', 'minute', ['subject_id', 'operation_id', 'tier']],
  ['usage_hour', 'hour', ['subject_id', 'operation_id', 'tier']],
  ['usage_day', 'day', ['subject_id', 'operation_id', 'tier']],
  ['usage_subject_hour', 'hour', ['subject_id', 'tier']],
  ['usage_subject_day', 'day', ['subject_id', 'tier']],
  ['usage_subject_week', 'week', ['subject_id', 'tier']],
]);

/** Adds the usage of operations, over all callers. */
export const OPERATION_SQL = addStatements({ operation_id: 'integer', tier: 'text' }, USAGE_COUNTS, [
  ['usage_operation_minute', 'minute', ['operation_id', 'tier']],
  ['usage_operation_hour', 'hour', ['operation_id', 'tier']],
  ['usage_operation_day', 'day', ['operation_id', 'tier']],
]);

/** Adds the usage of operations that other servers execute, by integration. */
export const INTEGRATION_SQL = byName('integration');

/** Adds the usage of a server with a region. */
export const REGION_SQL = byName('region');

function byName(name: 'integration' | 'region') {
  return addStatements({ [name]: 'text' }, USAGE_COUNTS, [
    [`usage_${name}_minute`, 'minute', [name]],
    [`usage_${name}_hour`, 'hour', [name]],
    [`usage_${name}_day`, 'day', [name]],
  ]);
}
