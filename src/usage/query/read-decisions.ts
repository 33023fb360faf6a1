import type { Queryable } from '../../postgres/db.js';
import { DECISION_AMOUNTS, DECISION_FIELD_WIDTH, type DecisionRow } from '../record/usage-levels.js';
import type { TimeRange } from './time-range.js';

/**
 * Calls of one field in a decision, estimated or actual, and the cost of the field including the
 * fields below it.
 */
interface LoggedField {
  coordinate: string;
  calls: number;
  cost: number;
  /**
   * Amounts without the fields below it, in the order of `RECORDED_AMOUNTS`. Undefined if all are
   * zero or not recorded.
   */
  amounts: readonly number[] | undefined;
}

/** A logged decision with its fields by name. */
export interface LoggedDecision extends Omit<DecisionRow, 'fields' | 'amounts'> {
  estimatedFields: LoggedField[];
  /** Fields whose actual calls are known. */
  actualFields: LoggedField[];
  /** Amounts of the entire operation, in the order of `RECORDED_AMOUNTS`. Null if not recorded. */
  estimatedAmounts: readonly number[] | null;
  /** Null if the actual amounts are unknown. */
  actualAmounts: readonly number[] | null;
}

const PAGE_SIZE = 1000;

/**
 * Present billing anchor of a caller, for decisions that were recorded without one. It may have been
 * stored afterwards, for the rule that is tried. A user of a tenant has that of the tenant.
 */
const STORED_ANCHOR = `(
  select s.billing_anchor::text from subjects s
  where s.tenant_id = coalesce(d.tenant_id, '')
    and s.user_id = case when d.tenant_id is null then d.user_id else '' end
)`;

/**
 * Yields the decisions of a range in pages, oldest first, at most `limit`. With pages, memory use
 * does not grow with the number of decisions.
 * @param readsAnchors whether to read the stored billing anchors of callers who are recorded without one
 */
export async function* readDecisions(
  db: Queryable,
  { from, to }: TimeRange,
  limit: number,
  readsAnchors = false,
): AsyncGenerator<LoggedDecision[]> {
  const coordinates = new Map<number, string>();
  let after: { at: Date; id: number } = { at: from, id: -1 };
  for (let left = limit; left > 0; ) {
    const rows = await db.query<DecisionRow>(
      `select id, at, tenant_id, user_id, api_key, ip, tier, operation_type, operation_name, client, batch,
         to_json(own_bucket) as own_bucket, to_json(key_budget) as key_budget, verdict, denied_by, degraded,
         estimated_cost, actual_cost, duration_ms, fields, amounts, sampled, agent, app, app_version, region,
         key_calendar, ${readsAnchors ? `coalesce(billing_anchor, ${STORED_ANCHOR})` : 'billing_anchor'} as billing_anchor
       from decisions d where (at, id) > ($1::timestamptz, $2::bigint) and at < $3
       order by at, id limit $4`,
      [after.at, after.id, to, Math.min(left, PAGE_SIZE)],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    after = { at: last.at, id: last.id };
    left -= rows.length;
    await addCoordinates(db, rows, coordinates);
    yield rows.map((row) => toDecision(row, coordinates));
    if (rows.length < PAGE_SIZE) return;
  }
}

/**
 * Returns the time of the oldest among the newest `limit` decisions of a range. Returns the start
 * of the range if it has fewer decisions.
 */
export async function startOfNewest(db: Queryable, { from, to }: TimeRange, limit: number): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(
    'select at from decisions where at >= $1 and at < $2 order by at desc, id desc offset $3 limit 1',
    [from, to, limit - 1],
  );
  return row?.at ?? from;
}

async function addCoordinates(
  db: Queryable,
  rows: readonly DecisionRow[],
  coordinates: Map<number, string>,
): Promise<void> {
  const ids = new Set<number>();
  for (const { fields } of rows) {
    for (let at = 0; at < fields.length; at += DECISION_FIELD_WIDTH) ids.add(fields[at]!);
  }
  const missing = [...ids].filter((id) => !coordinates.has(id));
  if (missing.length === 0) return;
  const found = await db.query<{ id: number; coordinate: string }>(
    'select id, coordinate from usage_fields where id = any($1::integer[])',
    [missing],
  );
  for (const { id, coordinate } of found) coordinates.set(id, coordinate);
}

function toDecision(
  { fields, amounts, ...row }: DecisionRow,
  coordinates: ReadonlyMap<number, string>,
): LoggedDecision {
  const ofFields = amountsByPlace(amounts ?? []);
  const estimatedFields: LoggedField[] = [];
  const actualFields: LoggedField[] = [];
  for (let at = 0; at < fields.length; at += DECISION_FIELD_WIDTH) {
    const coordinate = coordinates.get(fields[at]!);
    if (coordinate === undefined) continue;
    const own = ofFields.get(at / DECISION_FIELD_WIDTH);
    estimatedFields.push({ coordinate, calls: fields[at + 1]!, cost: fields[at + 2]!, amounts: own?.estimated });
    if (fields[at + 3]! < 0) continue;
    actualFields.push({ coordinate, calls: fields[at + 3]!, cost: fields[at + 4]!, amounts: own?.actual });
  }
  const whole = amounts && readAmounts(amounts, 0);
  const actualAmounts = whole && whole.actual[0]! >= 0 ? whole.actual : null;
  return { ...row, estimatedFields, actualFields, estimatedAmounts: whole?.estimated ?? null, actualAmounts };
}

function readAmounts(amounts: readonly number[], at: number) {
  const middle = at + DECISION_AMOUNTS;
  return { estimated: amounts.slice(at, middle), actual: amounts.slice(middle, middle + DECISION_AMOUNTS) };
}

function amountsByPlace(amounts: readonly number[]): Map<number, ReturnType<typeof readAmounts>> {
  const ofFields = new Map<number, ReturnType<typeof readAmounts>>();
  const both = 2 * DECISION_AMOUNTS;
  for (let at = both; at < amounts.length; at += 1 + both) ofFields.set(amounts[at]!, readAmounts(amounts, at + 1));
  return ofFields;
}
