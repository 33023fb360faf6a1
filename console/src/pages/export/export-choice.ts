import type { UsageBucket, UsageGroup } from '../../generated/graphql.js';
import { exportText } from '../../text/export-text.js';

/**
 * Groups by which rows can be split. The first four can be combined. Each of the others excludes
 * all other groups.
 */
export const GROUPS = [
  'CALLER',
  'TENANT',
  'TIER',
  'OPERATION',
  'FIELD',
  'RULE',
  'INTEGRATION',
  'REGION',
] as const satisfies UsageGroup[];
const ALONE: readonly UsageGroup[] = ['FIELD', 'RULE', 'INTEGRATION', 'REGION'];

export const BUCKETS = ['MINUTE', 'HOUR', 'DAY'] as const satisfies UsageBucket[];
export const FORMATS = { csv: 'CSV', ndjson: 'NDJSON' } as const;
export type ExportFormat = keyof typeof FORMATS;

const CALLER_FILTERS = ['user', 'apiKey', 'ip', 'tenant', 'tier', 'operation'] as const;
export type ExportFilter = (typeof CALLER_FILTERS)[number] | 'field' | 'rule' | 'integration' | 'region';

/** The selection of an export. */
export interface ExportChoice {
  format: ExportFormat;
  /** Length of the time buckets. Undefined: the shortest length that the range allows. */
  bucket: UsageBucket | undefined;
  groupBy: UsageGroup[];
  filter: Partial<Record<ExportFilter, string>>;
}

/**
 * Reads the selection from the URL of the page. It drops unknown values and invalid combinations.
 */
export function readChoice(search: URLSearchParams): ExportChoice {
  const asked = (search.get('groupBy') ?? '').split(',');
  const groupBy = GROUPS.filter((group) => asked.includes(group));
  const alone = groupBy.find((group) => ALONE.includes(group));
  const groups: UsageGroup[] = alone ? [alone] : groupBy;
  const filter: ExportChoice['filter'] = {};
  for (const name of filtersOf(groups)) {
    const value = search.get(name);
    if (value) filter[name] = value;
  }
  return {
    format: search.get('format') === 'ndjson' ? 'ndjson' : 'csv',
    bucket: BUCKETS.find((bucket) => bucket === search.get('bucket')),
    groupBy: groups,
    filter,
  };
}

/** Returns the groups after one of them is toggled. FIELD, RULE, INTEGRATION and REGION exclude the others. */
export function withGroup(groups: readonly UsageGroup[], group: UsageGroup, isOn: boolean): UsageGroup[] {
  if (!isOn) return groups.filter((one) => one !== group);
  if (ALONE.includes(group)) return [group];
  return GROUPS.filter((one) => one === group || (groups.includes(one) && !ALONE.includes(one)));
}

/** Returns the available filters. Usage by field, rule, integration or region has no callers. */
export function filtersOf(groups: readonly UsageGroup[]): readonly ExportFilter[] {
  if (groups.includes('FIELD')) return ['field'];
  if (groups.includes('RULE')) return ['rule'];
  if (groups.includes('INTEGRATION')) return ['integration'];
  if (groups.includes('REGION')) return ['region'];
  return CALLER_FILTERS;
}

/** Returns the parameters of the export, for its URL and its JSON body. */
export function parametersOf(
  { bucket, groupBy, filter }: ExportChoice,
  range: { from: string; to: string },
): Record<string, string> {
  return {
    ...range,
    ...(bucket && { bucket }),
    ...(groupBy.length > 0 && { groupBy: groupBy.join(',') }),
    ...filter,
  };
}

/** Returns the shell command that fetches the same export, with a token in place of the session. */
export function curlLine(url: string, parameters: Record<string, string>): string {
  // Commas stay readable. URLSearchParams encodes quotes, so none can end the quoted text in the
  // shell.
  const query = new URLSearchParams(parameters).toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  const file = url.slice(url.lastIndexOf('/') + 1);
  return `curl -s -o ${file} -H "authorization: Bearer $TOLLGATE_ADMIN_TOKEN" '${url}?${query}'`;
}

/**
 * Returns the number of rows in the last line of an export, or undefined if that line is missing.
 */
export function rowsAtEnd(tail: string, format: ExportFormat): number | undefined {
  const pattern = format === 'csv' ? /(?:^|\n)# end, (\d+) rows\n$/ : /(?:^|\n)\{"end":true,"rows":(\d+)\}\n$/;
  const [, rows] = pattern.exec(tail) ?? [];
  return rows === undefined ? undefined : Number(rows);
}

/** Returns the previous UTC day and the previous month. Bills need ranges that have ended. */
export function endedRanges(nowMs: number): { title: string; fromMs: number; toMs: number }[] {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return [
    { title: exportText.yesterday, fromMs: Date.UTC(year, month, day - 1), toMs: Date.UTC(year, month, day) },
    { title: exportText.lastMonth, fromMs: Date.UTC(year, month - 1, 1), toMs: Date.UTC(year, month, 1) },
  ];
}
