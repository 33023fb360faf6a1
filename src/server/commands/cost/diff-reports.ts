import type { ProfileName } from '../../../cost/settings/cost-profile.js';

/** Report of one operation by `tollgate cost --json`. */
interface OperationReport {
  readonly cost: number;
  readonly typeCost: number;
  readonly fieldCost: number;
  readonly fields: readonly { readonly coordinate: string; readonly calls: number; readonly cost: number }[];
}

/** Report of one of several operations. */
export interface NamedReport extends OperationReport {
  readonly file: string;
  /** Null for an operation without a name. */
  readonly operation: string | null;
}

/** Reads a report of either shape. @throws TypeError with the expected shape */
export function parseReport(text: string): readonly (OperationReport | NamedReport)[] {
  const parsed: unknown = JSON.parse(text);
  const list = isRecord(parsed) && Array.isArray(parsed['operations']) ? (parsed['operations'] as unknown[]) : [parsed];
  return list.map((each) => {
    if (isReport(each)) return each;
    throw new TypeError('expected the output of `tollgate cost --json`: { cost, typeCost, fieldCost, fields }');
  });
}

function isReport(value: unknown): value is OperationReport {
  if (!isRecord(value) || typeof value['cost'] !== 'number' || !Array.isArray(value['fields'])) return false;
  return value['fields'].every(
    (field: unknown) => isRecord(field) && typeof field['coordinate'] === 'string' && typeof field['cost'] === 'number',
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Units of the numbers of a report. */
interface ReportUnits {
  readonly operation: string;
  readonly field: string;
}

/**
 * Returns the units of a profile. In profile `github` the units of fields and operations differ: a
 * hundred requests are one point.
 */
export function unitsOf(profile: ProfileName | undefined): ReportUnits {
  return profile === 'github' ? { operation: 'points', field: 'requests' } : { operation: 'tokens', field: 'tokens' };
}

interface DiffOptions {
  readonly before: readonly (OperationReport | NamedReport)[];
  readonly after: readonly NamedReport[];
  readonly units: ReportUnits;
}

/**
 * Returns lines about new operations, and about operations that became more expensive, with the
 * fields responsible. Empty if there are none.
 */
export function diffReports({ before, after, units }: DiffOptions): string[] {
  const lines: string[] = [];
  for (const now of after) {
    const earlier = findEarlier(before, after, now);
    if (earlier === undefined) {
      lines.push(`${titleOf(now)}: new, costs ${now.cost} ${units.operation}`);
      continue;
    }
    if (now.cost <= earlier.cost) continue;
    lines.push(`${titleOf(now)}: ${change(earlier.cost, now.cost)} ${units.operation}`);
    const costs = new Map(earlier.fields.map((field) => [field.coordinate, field.cost]));
    for (const { coordinate, cost } of now.fields) {
      const was = costs.get(coordinate) ?? 0;
      if (cost > was) lines.push(`  ${coordinate}: ${change(was, cost)} ${units.field}`);
    }
  }
  return lines;
}

/**
 * Finds the earlier report of the same file and operation. If there is only one report on each
 * side, and the earlier one names no file, that one matches.
 */
function findEarlier(
  before: readonly (OperationReport | NamedReport)[],
  after: readonly NamedReport[],
  now: NamedReport,
): OperationReport | undefined {
  const same = before.find((each) => 'file' in each && each.file === now.file && each.operation === now.operation);
  if (same) return same;
  const [only] = before;
  return before.length === 1 && after.length === 1 && only && !('file' in only) ? only : undefined;
}

function change(before: number, after: number): string {
  return `${before} -> ${after} (+${after - before})`;
}

export function titleOf({ file, operation }: Pick<NamedReport, 'file' | 'operation'>): string {
  return operation === null ? file : `${file} ${operation}`;
}
