import type { ProfileName } from '../../../cost/settings/cost-profile.js';

/** What `tollgate cost --json` says of one operation. */
interface OperationReport {
  readonly cost: number;
  readonly typeCost: number;
  readonly fieldCost: number;
  readonly fields: readonly { readonly coordinate: string; readonly calls: number; readonly cost: number }[];
}

/** Of several: which one it is, too. */
export interface NamedReport extends OperationReport {
  readonly file: string;
  /** Null for an operation without a name. */
  readonly operation: string | null;
}

/** Reads a report of either shape. @throws TypeError saying what was expected */
export function parseReport(text: string): readonly (OperationReport | NamedReport)[] {
  const parsed: unknown = JSON.parse(text);
  const list = isRecord(parsed) && Array.isArray(parsed['operations']) ? (parsed['operations'] as unknown[]) : [parsed];
  return list.map((each) => {
    if (isReport(each)) return each;
    throw new TypeError('expected what `tollgate cost --json` prints: { cost, typeCost, fieldCost, fields }');
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

/** What the numbers of a report count. */
interface ReportUnits {
  readonly operation: string;
  readonly field: string;
}

/** Of profile `github`, the numbers of fields are not those of the operation: a hundred requests are a point. */
export function unitsOf(profile: ProfileName | undefined): ReportUnits {
  return profile === 'github' ? { operation: 'points', field: 'requests' } : { operation: 'tokens', field: 'tokens' };
}

interface DiffOptions {
  readonly before: readonly (OperationReport | NamedReport)[];
  readonly after: readonly NamedReport[];
  readonly units: ReportUnits;
}

/** Lines on what became more expensive, and by which fields; empty when nothing did. */
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

/** The same file and operation; a report on one operation is compared with the one that there is. */
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
