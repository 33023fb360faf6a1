import type { SqlValue } from '../../postgres/db.js';

/** Conditions for usage. Usage must match all of them; absent conditions are ignored. */
export interface UsageFilter {
  /** Id of a user. At most one of `user`, `apiKey` and `ip` may be given. */
  user?: string;
  apiKey?: string;
  ip?: string;
  tenant?: string;
  tier?: string;
  /** Name of the operations. */
  operation?: string;
  /** Coordinate of a field, such as `Query.search`. */
  field?: string;
  /** Name of a rule, or `tier:NAME`. */
  rule?: string;
  /** Integration of the decision service. */
  integration?: string;
  /** Region of the servers that decided. */
  region?: string;
}

export type UsageColumn = 'subject_id' | 'operation_id' | 'tier' | 'field_id' | 'rule_id' | 'integration' | 'region';

/** Returns the columns that a filter needs. */
export function columnsOf(filter: UsageFilter): UsageColumn[] {
  const { tier, operation, field, rule, integration, region } = filter;
  return [
    ...(asksForSubject(filter) ? (['subject_id'] as const) : []),
    ...(operation === undefined ? [] : (['operation_id'] as const)),
    ...(tier === undefined ? [] : (['tier'] as const)),
    ...(field === undefined ? [] : (['field_id'] as const)),
    ...(rule === undefined ? [] : (['rule_id'] as const)),
    ...(integration === undefined ? [] : (['integration'] as const)),
    ...(region === undefined ? [] : (['region'] as const)),
  ];
}

/**
 * Returns the SQL conditions of a filter. They convert names to ids first, so that an index finds
 * the rows.
 */
export function conditionsOf(filter: UsageFilter, parameters: Parameters): string[] {
  const conditions: string[] = [];
  const among = (column: UsageColumn, names: string) => conditions.push(`${column} = any(array(${names}))`);
  const { user, apiKey, ip, tenant, tier, operation, field, rule, integration, region } = filter;
  if (asksForSubject(filter)) {
    const wanted = tenant === undefined ? [] : [`tenant_id = ${parameters.add(tenant)}`];
    for (const [kind, name] of Object.entries({ USER: user, API_KEY: apiKey, IP: ip })) {
      if (name !== undefined) wanted.push(`kind = '${kind}' and name = ${parameters.add(name)}`);
    }
    among('subject_id', `select id from usage_subjects where ${wanted.join(' and ')}`);
  }
  if (operation !== undefined) {
    among('operation_id', `select id from usage_operations where name = ${parameters.add(operation)}`);
  }
  if (tier !== undefined) conditions.push(`tier = ${parameters.add(tier)}`);
  if (field !== undefined) {
    among('field_id', `select id from usage_fields where coordinate = ${parameters.add(field)}`);
  }
  if (rule !== undefined) among('rule_id', `select id from usage_rules where name = ${parameters.add(rule)}`);
  if (integration !== undefined) conditions.push(`integration = ${parameters.add(integration)}`);
  if (region !== undefined) conditions.push(`region = ${parameters.add(region)}`);
  return conditions;
}

function asksForSubject({ user, apiKey, ip, tenant }: UsageFilter): boolean {
  return [user, apiKey, ip, tenant].some((value) => value !== undefined);
}

/**
 * Collects the values of a statement with variable conditions. The text contains only placeholders
 * such as `$1`.
 */
export function createParameters() {
  const values: SqlValue[] = [];
  return {
    values: values as readonly SqlValue[],
    add(value: SqlValue): string {
      values.push(value);
      return `$${values.length}`;
    },
  };
}

export type Parameters = ReturnType<typeof createParameters>;
