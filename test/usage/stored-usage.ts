import type { Tx } from '../../src/postgres/db.js';
import type { UsageSubjectKind } from '../../src/usage/record/usage-levels.js';

/** A recorded operation with all amounts that usage counts. */
export interface UsedOperation {
  at: Date;
  tenant: string;
  kind: Exclude<UsageSubjectKind, 'OTHER'>;
  name: string;
  tier: string;
  operation: string;
  /** '' for an operation that no other server asked for. */
  integration: string;
  /** '' for an operation of a server without a region. */
  region: string;
  denied: boolean;
  shadowDenied: boolean;
  estimated: number;
  actual: number;
  /** Calls and costs of each field, without the fields below it. */
  fields: { coordinate: string; estimatedCalls: number; actualCalls: number; estimated: number; actual: number }[];
  /**
   * Rules that apply to the operation. If `denied` or `shadowDenied` is set, the first rule denied
   * it, or would have denied it.
   */
  rules: string[];
}

/**
 * Stores usage directly in the tables, with the sums that the recorder would write. This tests the
 * queries without the recorder. Each call needs a separate transaction, because it creates a
 * temporary table.
 */
export async function storeUsage(db: Tx, operations: readonly UsedOperation[]): Promise<void> {
  const times = operations.map(({ at }) => at.getTime());
  await db.query('select ensure_usage_partitions($1, $2)', [
    new Date(Math.min(...times)),
    new Date(Math.max(...times)),
  ]);
  await db.query('create temporary table used (one jsonb) on commit drop');
  await db.query('insert into used select jsonb_array_elements($1::jsonb)', [JSON.stringify(operations)]);
  for (const statement of NAMES) await db.query(statement);
  for (const [table, columns, source] of SOURCES) {
    for (const level of ['minute', 'hour', 'day'] as const) {
      if (table === 'usage_subject' && level === 'minute') continue;
      await db.query(
        `insert into ${table}_${level} select date_trunc('${level}', (one->>'at')::timestamptz, 'UTC'), ${columns} from ${source}`,
      );
    }
  }
  await db.query(
    `insert into usage_subject_week
     select date_bin('1 week', (one->>'at')::timestamptz, 'epoch'), who.id, one->>'tier', ${COUNTS}
     from used ${SUBJECT} group by 1, 2, 3`,
  );
  await db.query(
    `insert into events (at, kind, code, rule, tenant_id, user_id, api_key, ip, tier, operation_type, operation_name,
       degraded, requested_cost, scope, field, charge, limit_amount, used, remaining, retry_after_ms, integration)
     select (one->>'at')::timestamptz, case when (one->>'denied')::boolean then 'DENIED' else 'SHADOW_DENIED' end,
       case when (one->>'denied')::boolean then 'THROTTLED' end, one->'rules'->>0, nullif(one->>'tenant', ''),
       case one->>'kind' when 'USER' then one->>'name' end, case one->>'kind' when 'API_KEY' then one->>'name' end,
       case one->>'kind' when 'IP' then one->>'name' end, one->>'tier', 'QUERY', one->>'operation', false,
       (one->>'estimated')::bigint, 'USER', '*', (one->>'estimated')::bigint, 100, 90, 10, 1500,
       nullif(one->>'integration', '')
     from used where (one->>'denied')::boolean or (one->>'shadowDenied')::boolean order by one->>'at'`,
  );
}

const NAMES = [
  `insert into usage_subjects (tenant_id, kind, name)
   select distinct one->>'tenant', one->>'kind', one->>'name' from used on conflict do nothing`,
  `insert into usage_operations (type, name) select distinct 'QUERY', one->>'operation' from used on conflict do nothing`,
  `insert into usage_fields (coordinate)
   select distinct field->>'coordinate' from used, jsonb_array_elements(one->'fields') field on conflict do nothing`,
  `insert into usage_rules (name)
   select distinct rule from used, jsonb_array_elements_text(one->'rules') rule on conflict do nothing`,
];

const SUBJECT = `join usage_subjects who on (who.tenant_id, who.kind, who.name) = (one->>'tenant', one->>'kind', one->>'name')`;
const OPERATION = `join usage_operations operation on operation.name = one->>'operation'`;
const DENIED = `(one->>'denied')::boolean`;
const SHADOW = `(one->>'shadowDenied')::boolean`;
const COUNTS = `count(*), count(*) filter (where ${DENIED}), count(*) filter (where ${SHADOW}), 0,
  coalesce(sum((one->>'estimated')::bigint) filter (where not ${DENIED}), 0),
  coalesce(sum((one->>'actual')::bigint) filter (where not ${DENIED}), 0),
  coalesce(sum((one->>'estimated')::bigint) filter (where ${DENIED}), 0)`;

/** For each table: its name, the columns after the bucket, and the source of the rows. */
const SOURCES: readonly (readonly [string, string, string])[] = [
  ['usage', `who.id, operation.id, one->>'tier', ${COUNTS}`, `used ${SUBJECT} ${OPERATION} group by 1, 2, 3, 4`],
  ['usage_operation', `operation.id, one->>'tier', ${COUNTS}`, `used ${OPERATION} group by 1, 2, 3`],
  [
    'usage_integration',
    `${COUNTS}, one->>'integration'`,
    `used where one->>'integration' <> '' group by 1, one->>'integration'`,
  ],
  ['usage_region', `${COUNTS}, one->>'region'`, `used where one->>'region' <> '' group by 1, one->>'region'`],
  ['usage_subject', `who.id, one->>'tier', ${COUNTS}`, `used ${SUBJECT} group by 1, 2, 3`],
  [
    'usage_field',
    `field_id.id, count(*), count(*) filter (where ${DENIED}),
     coalesce(sum((field->>'estimatedCalls')::bigint) filter (where not ${DENIED}), 0),
     coalesce(sum((field->>'actualCalls')::bigint) filter (where not ${DENIED}), 0),
     coalesce(sum((field->>'estimated')::bigint) filter (where not ${DENIED}), 0),
     coalesce(sum((field->>'actual')::bigint) filter (where not ${DENIED}), 0)`,
    `used, jsonb_array_elements(one->'fields') field
     join usage_fields field_id on field_id.coordinate = field->>'coordinate' group by 1, 2`,
  ],
  [
    'usage_rule',
    `rule_id.id, count(*), count(*) filter (where ${DENIED} and rule = one->'rules'->>0),
     count(*) filter (where ${SHADOW} and rule = one->'rules'->>0),
     coalesce(sum((one->>'estimated')::bigint) filter (where not ${DENIED}), 0),
     coalesce(sum((one->>'actual')::bigint) filter (where not ${DENIED}), 0),
     coalesce(sum((one->>'estimated')::bigint) filter (where ${DENIED}), 0)`,
    `used, jsonb_array_elements_text(one->'rules') rule join usage_rules rule_id on rule_id.name = rule group by 1, 2`,
  ],
  [
    'usage_violation',
    `rule_id.id, who.id, count(*) filter (where ${DENIED}), count(*) filter (where ${SHADOW}),
     sum((one->>'estimated')::bigint)`,
    `used join usage_rules rule_id on rule_id.name = one->'rules'->>0 ${SUBJECT}
     where ${DENIED} or ${SHADOW} group by 1, 2, 3`,
  ],
];

/** Returns operations with random members. The same seed gives the same operations. */
export function usedOperations(
  count: number,
  { from, to, seed = 1 }: { from: Date; to: Date; seed?: number },
): UsedOperation[] {
  const random = createRandom(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  return Array.from({ length: count }, (): UsedOperation => {
    const outcome = random();
    const estimated = 1 + Math.floor(random() * 100);
    const actual = Math.ceil(estimated * random());
    return {
      at: new Date(from.getTime() + Math.floor(random() * (to.getTime() - from.getTime()))),
      tenant: pick(['', 'acme', 'umbrella']),
      kind: pick(['USER', 'API_KEY', 'IP'] as const),
      name: pick(['1', '2', '3', '=cmd', 'a;=cmd']),
      tier: pick(['free', 'pro']),
      operation: pick(['Search', 'Home', '']),
      integration: pick(['', 'api', 'ext-authz']),
      region: pick(['', 'eu', 'us']),
      denied: outcome < 0.2,
      shadowDenied: outcome > 0.9,
      estimated,
      actual,
      fields: [
        { coordinate: 'Query.countries', estimatedCalls: 1, actualCalls: 1, estimated: 10, actual: 4 },
        {
          coordinate: pick(['Country.name', 'Country.borders']),
          estimatedCalls: 10,
          actualCalls: 4,
          estimated,
          actual,
        },
      ],
      rules: pick([['tier:free'], ['search', 'tier:free'], ['search']]),
    };
  });
}

/** Returns the random number generator of Park and Miller. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
