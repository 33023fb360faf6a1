import type { FieldNumbers, RecordedFields, UsageRecord } from '../../src/model/usage-record.js';
import type { Db } from '../../src/postgres/db.js';
import { storedText } from '../../src/runtime/stored-text.js';

/**
 * Sums of each row. The key describes the row, for example
 * `usage_minute 2026-03-01T23:59:00.000Z | ...`.
 */
export type Sums = Record<string, Record<string, number>>;

const LEVELS = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const;
/** Length of a week. Weeks start on Thursday, because 1970-01-01 was a Thursday. */
const WEEK_MS = 7 * 86_400_000;

/**
 * Returns the content that the tables must have after these operations are recorded. It adds up the
 * operations one by one.
 * @param region region of the process that records them
 */
export function expectedSums(records: readonly UsageRecord[], region?: string): Sums {
  const sums: Sums = {};
  const add = (key: string, counts: Record<string, number>) => {
    sums[key] ??= {};
    const sum = sums[key];
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  };
  for (const record of records) {
    const { denial, estimatedCost, actualCost = estimatedCost, tier, limits } = record;
    const admitted = denial === undefined;
    const shadows = admitted ? [...new Set(limits.filter((one) => one.wouldDeny).map(({ rule }) => rule))] : [];
    const counts = {
      requests: 1,
      denied: Number(!admitted),
      shadow_denied: Number(shadows.length > 0),
      degraded: Number(record.degraded),
      estimated_cost: admitted ? estimatedCost : 0,
      actual_cost: admitted ? actualCost : 0,
      denied_cost: admitted ? 0 : estimatedCost,
    };
    const subject = subjectText(record);
    const operation = `${record.operationType} ${storedText(record.operationName ?? '', 200)}`;
    const rules = [...new Set([...limits.map(({ rule }) => rule), ...(record.deniedBy ? [record.deniedBy] : [])])];
    const week = new Date(record.atMs - (record.atMs % WEEK_MS)).toISOString();
    add(`usage_subject_week ${week} | ${subject} | ${tier}`, counts);
    for (const [level, ms] of LEVELS) {
      const bucket = new Date(record.atMs - (record.atMs % ms)).toISOString();
      add(`usage_${level} ${bucket} | ${subject} | ${operation} | ${tier}`, counts);
      if (level !== 'minute') add(`usage_subject_${level} ${bucket} | ${subject} | ${tier}`, counts);
      add(`usage_operation_${level} ${bucket} | ${operation} | ${tier}`, counts);
      const { integration } = record.askedBy ?? {};
      if (integration !== undefined) add(`usage_integration_${level} ${bucket} | ${integration}`, counts);
      if (region !== undefined) add(`usage_region_${level} ${bucket} | ${region}`, counts);
      for (const { coordinate, calls, cost } of record.fields!.estimated()) {
        add(`usage_field_${level} ${bucket} | ${coordinate}`, {
          requests: 1,
          denied: Number(!admitted),
          estimated_calls: admitted ? calls : 0,
          estimated_cost: admitted ? cost : 0,
          actual_calls: 0,
          actual_cost: 0,
        });
      }
      for (const field of admitted ? actualOf(record.fields!) : []) {
        add(`usage_field_${level} ${bucket} | ${field.coordinate}`, {
          requests: 0,
          denied: 0,
          estimated_calls: 0,
          estimated_cost: 0,
          actual_calls: field.calls,
          actual_cost: field.cost,
        });
      }
      for (const rule of rules) {
        const charge = limits.find((one) => one.rule === rule);
        add(`usage_rule_${level} ${bucket} | ${rule}`, {
          requests: 1,
          denied: Number(rule === record.deniedBy),
          shadow_denied: Number(shadows.includes(rule)),
          estimated_cost: admitted ? (charge?.charge ?? 0) : 0,
          actual_cost: admitted ? (charge?.actual ?? charge?.charge ?? 0) : 0,
          denied_cost: admitted ? 0 : (charge?.charge ?? 0),
        });
        if (rule !== record.deniedBy && !shadows.includes(rule)) continue;
        add(`usage_violation_${level} ${bucket} | ${rule} | ${subject}`, {
          denied: Number(rule === record.deniedBy),
          shadow_denied: Number(shadows.includes(rule)),
          denied_cost: estimatedCost,
        });
      }
    }
  }
  return sums;
}

interface SumRow {
  counts: Record<string, string | number>;
  names: (string | null)[];
}

/** Returns the sums that the tables contain. */
export async function storedSums(db: Db): Promise<Sums> {
  const tables = await db.query<{ parent: string }>(
    `select parent from usage_partitioned where parent like 'usage%' order by parent`,
  );
  const sums: Sums = {};
  for (const { parent } of tables) {
    const rows = await db.query<SumRow>(
      `select to_jsonb(one) - '{subject_id,operation_id,field_id,rule_id,tier,integration,region}'::text[] as counts, jsonb_build_array(
        (select name from usage_rules where id = (to_jsonb(one) ->> 'rule_id')::bigint),
        (select tenant_id || ' ' || kind || ' ' || name from usage_subjects
          where id = (to_jsonb(one) ->> 'subject_id')::bigint),
        (select type || ' ' || name from usage_operations where id = (to_jsonb(one) ->> 'operation_id')::bigint),
        (select coordinate from usage_fields where id = (to_jsonb(one) ->> 'field_id')::bigint),
        to_jsonb(one) ->> 'tier', to_jsonb(one) ->> 'integration', to_jsonb(one) ->> 'region'
      ) as names
      from ${parent} one`,
    );
    for (const { counts, names } of rows) {
      const { bucket, ...numbers } = counts;
      const key = [`${parent} ${new Date(String(bucket)).toISOString()}`, ...names.filter((name) => name !== null)];
      sums[key.join(' | ')] = numbers as Record<string, number>;
    }
  }
  return sums;
}

function subjectText({ subject: { user, tenant = '', apiKey, ip } }: UsageRecord): string {
  const named = (kind: string, name: string) => `${storedText(tenant, 512)} ${kind} ${storedText(name, 512)}`;
  if (user) return named('USER', user);
  if (apiKey) return named('API_KEY', apiKey);
  return ip ? named('IP', ip) : ' OTHER ';
}

function actualOf(fields: RecordedFields): readonly FieldNumbers[] {
  const sums = fields.actual();
  if (sums === undefined) return fields.estimated();
  const all = sums.coordinates.map((coordinate, i) => ({ coordinate, calls: sums.calls[i]!, cost: sums.costs[i]! }));
  // The actual numbers of a field that was not called create no row.
  return all.filter(({ calls }) => calls > 0);
}
