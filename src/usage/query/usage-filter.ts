import type { SqlValue } from '../../postgres/db.js';

/** Which usage; all conditions together. What is absent does not matter. */
export interface UsageFilter {
  /** Of at most one of these three. */
  user?: string;
  apiKey?: string;
  ip?: string;
  tenant?: string;
  tier?: string;
  /** The name of operations. */
  operation?: string;
  /** A coordinate: `Query.search`. */
  field?: string;
  /** A rule's name, or `tier:NAME`. */
  rule?: string;
}

export type UsageColumn = 'subject_id' | 'operation_id' | 'tier' | 'field_id' | 'rule_id';

/** The columns that a filter asks for. */
export function columnsOf(filter: UsageFilter): UsageColumn[] {
  const { tier, operation, field, rule } = filter;
  return [
    ...(asksForSubject(filter) ? (['subject_id'] as const) : []),
    ...(operation === undefined ? [] : (['operation_id'] as const)),
    ...(tier === undefined ? [] : (['tier'] as const)),
    ...(field === undefined ? [] : (['field_id'] as const)),
    ...(rule === undefined ? [] : (['rule_id'] as const)),
  ];
}

/** The conditions of a filter. Names become numbers first, so that an index finds the rows. */
export function conditionsOf(filter: UsageFilter, parameters: Parameters): string[] {
  const conditions: string[] = [];
  const among = (column: UsageColumn, names: string) => conditions.push(`${column} = any(array(${names}))`);
  const { user, apiKey, ip, tenant, tier, operation, field, rule } = filter;
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
  return conditions;
}

function asksForSubject({ user, apiKey, ip, tenant }: UsageFilter): boolean {
  return [user, apiKey, ip, tenant].some((value) => value !== undefined);
}

/** Collects the values of a statement whose conditions depend on what is asked. Only its `$1` ever stands in the text. */
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
