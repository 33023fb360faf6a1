import type { DocumentKind, Rule, RuleMatch } from '../../model/rule.js';
import type { CallerKind } from '../../model/subject.js';
import type { Queryable } from '../../postgres/db.js';
import { nameAtAGlance } from '../policy/alike-names.js';
import { fieldTextOf, patternsIn } from '../policy/field-pattern.js';
import { findUnknownFeatures } from './find-unknown-features.js';
import { isRuleId } from './is-rule-id.js';
import { calendarOf, toRuleColumns } from './to-rule-columns.js';

/** A stored rule. */
export interface RuleRecord extends Rule {
  /** Number of this rule's version. It starts at 1 and rises with each change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** Time of retirement. Null while the rule is in use. */
  retiredAt: Date | null;
}

/** The properties of a rule that determine with which rules it competes. */
type RuleLevel = Pick<Rule, 'scope' | 'field' | 'fields' | 'measure'>;

/** Content of a rule, without its id, version and times. */
export type RuleAttributes = Omit<RuleRecord, 'id' | 'version' | 'createdAt' | 'updatedAt' | 'retiredAt'>;

/** Conditions for the rules in a list. */
export interface RuleFilter {
  /** Whether to list retired rules instead of those in use. @default only those in use */
  retired?: boolean | undefined;
  mode?: Rule['mode'] | undefined;
  scope?: Rule['scope'] | undefined;
  /** A field pattern of the rules, as written. */
  field?: string | undefined;
  /** Name of a tier that must be among `match.tiers` of the rules. */
  tier?: string | undefined;
  callers?: CallerKind | undefined;
  /** Whether the rules have this value of `match.agents`. */
  agents?: boolean | undefined;
  /** Id of a user that `match.users` of the rules must include. */
  user?: string | undefined;
  /** Id of a tenant that `match.tenants` of the rules must include. */
  tenant?: string | undefined;
  /** Prefix of an API key that `match.keys` of the rules must include. */
  key?: string | undefined;
  /** Value of `match.document` of the rules. */
  document?: DocumentKind | undefined;
  /** Name of an app that `match.apps` of the rules must include. */
  app?: string | undefined;
  /** Part of the rule's name. The case of letters does not matter. */
  nameContains?: string | undefined;
}

interface RuleRow {
  id: number;
  name: string;
  description: string | null;
  mode: Rule['mode'];
  rollout_percent: number;
  priority: number;
  match_tiers: string[];
  match_operation_types: NonNullable<RuleMatch['operationTypes']>;
  match_operation_names: string[];
  match_clients: string[];
  match_addresses: string[];
  match_callers: CallerKind | null;
  match_credentials: NonNullable<RuleMatch['credentials']>;
  match_users: string[];
  match_tenants: string[];
  match_keys: string[];
  match_agents: boolean;
  match_document: DocumentKind | null;
  match_apps: string[];
  match_app_versions: string[];
  scope: Rule['scope'];
  /** Text of the field patterns, as `fieldTextOf` returns it. */
  field: string;
  measure: Rule['measure'];
  limits: Rule['limits'];
  action: Rule['action']['type'];
  max_delay_ms: number | null;
  on_unavailable: Rule['onUnavailable'];
  precision: Rule['precision'];
  region_mode: Rule['regionMode'];
  on_event_denied: Rule['onEventDenied'];
  response: NonNullable<Rule['response']>;
  schedule: Rule['schedule'] | null;
  active_from: Date | null;
  active_until: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  retired_at: Date | null;
}

const SELECT = `select r.id, r.name, r.description, r.mode, r.rollout_percent, r.priority,
    array(select t.tier from rule_tiers t where t.rule_id = r.id order by t.tier collate "C") as match_tiers,
    r.match_operation_types, r.match_operation_names, r.match_clients, r.match_addresses, r.match_callers,
    r.match_credentials, r.match_users, r.match_tenants, r.match_keys, r.match_agents, r.match_document, r.match_apps,
    r.match_app_versions, r.scope, r.field, r.measure,
    coalesce((
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', l.key, 'algorithm', l.algorithm,
        'capacity', l.capacity, 'refillAmount', l.refill_amount, 'refillPeriodMs', l.refill_period_ms,
        'amount', l.amount, 'windowMs', l.window_ms, 'strict', l.strict, 'leaseMs', l.lease_ms,
        'maxWaitMs', l.max_wait_ms, 'maxQueue', l.max_queue, 'perConnection', l.per_connection,
        'countDenied', l.count_denied, 'maxDebt', l.max_debt) || coalesce(l.calendar, '{}')) order by l.position)
      from rule_limits l where l.rule_id = r.id
    ), '[]') as limits,
    r.action, r.max_delay_ms, r.on_unavailable, r.precision, r.region_mode, r.on_event_denied,
    jsonb_strip_nulls(jsonb_build_object('code', r.response_code, 'message', r.response_message,
      'status', r.response_status)) as response,
    r.schedule, r.active_from, r.active_until,
    r.version, r.created_at, r.updated_at, r.retired_at
  from rules r`;

/** Returns the rules in use, oldest first. */
export async function readRules(on: Queryable): Promise<RuleRecord[]> {
  const rows = await on.query<RuleRow>(`${SELECT} where r.retired_at is null order by r.id`);
  return rows.map(toRule);
}

/** Returns a page of the rules after the one with id `after`, oldest first. */
export async function readRulePage(
  on: Queryable,
  { retired, mode, scope, field, tier, callers, agents, user, tenant, key, document, app, nameContains }: RuleFilter,
  { after, limit }: { after: number; limit: number },
): Promise<RuleRecord[]> {
  const rows = await on.query<RuleRow>(
    `${SELECT}
     where r.id > $1
       and (r.retired_at is not null) = $2
       and ($3::text is null or r.mode = $3)
       and ($4::text is null or r.scope = $4)
       and ($5::text is null or $5 = any(string_to_array(r.field, ', ')))
       and ($6::text is null or exists (select from rule_tiers t where t.rule_id = r.id and t.tier = $6))
       and ($7::text is null or position(lower($7) in lower(r.name)) > 0)
       and ($8::text is null or r.match_callers = $8) and ($13::boolean is null or r.match_agents = $13)
       and ${isNamedIn('match_users', '$9')} and ${isNamedIn('match_tenants', '$10')} and ${isNamedIn('match_keys', '$11')}
       and ($14::text is null or r.match_document = $14) and ${isNamedIn('match_apps', '$15')}
     order by r.id limit $12`,
    [
      ...[after, retired ?? false, mode ?? null, scope ?? null, field ?? null, tier ?? null, nameContains ?? null],
      ...[
        callers ?? null,
        user ?? null,
        tenant ?? null,
        key ?? null,
        limit,
        agents ?? null,
        document ?? null,
        app ?? null,
      ],
    ],
  );
  return rows.map(toRule);
}

/** Returns an SQL condition: the parameter is null, or a name or prefix in the column matches it. */
function isNamedIn(column: string, parameter: string): string {
  return `(${parameter}::text is null or exists (select from unnest(r.${column}) as named
    where named = ${parameter} or (right(named, 1) = '*' and starts_with(${parameter}, left(named, -1)))))`;
}

/** Returns the rules in use with these names, in no particular order. */
export async function readRulesByName(on: Queryable, names: readonly string[]): Promise<RuleRecord[]> {
  const rows = await on.query<RuleRow>(`${SELECT} where r.name = any($1::text[]) and r.retired_at is null`, [names]);
  return rows.map(toRule);
}

/**
 * Returns the rules in use whose names differ from one of these at most in letter case or spaces.
 * Names of rules are ASCII.
 */
export async function readRulesCalledAlmost(on: Queryable, names: readonly string[]): Promise<RuleRecord[]> {
  const rows = await on.query<RuleRow>(
    `${SELECT} where r.retired_at is null and lower(regexp_replace(btrim(r.name), ' +', ' ', 'g')) = any($1::text[])`,
    [names.map(nameAtAGlance)],
  );
  return rows.map(toRule);
}

/** Returns the rules with these ids, in use or retired, in no particular order. */
export async function readRulesById(on: Queryable, ids: readonly string[]): Promise<RuleRecord[]> {
  const rows = await on.query<RuleRow>(`${SELECT} where r.id = any($1::bigint[])`, [ids]);
  return rows.map(toRule);
}

export async function readRule(on: Queryable, id: string): Promise<RuleRecord | null> {
  const [rule] = isRuleId(id) ? await readRulesById(on, [id]) : [];
  return rule ?? null;
}

/** Returns the rule in use with this name. */
export async function readRuleByName(on: Queryable, name: string): Promise<RuleRecord | null> {
  const [row] = await on.query<RuleRow>(`${SELECT} where r.name = $1 and r.retired_at is null`, [name]);
  return row ? toRule(row) : null;
}

/**
 * Returns the rules in use that compete with each other: those with this scope, field and measure.
 */
export async function readRulesOfLevel(on: Queryable, { scope, measure, ...rule }: RuleLevel): Promise<RuleRecord[]> {
  const rows = await on.query<RuleRow>(
    `${SELECT} where r.retired_at is null and r.scope = $1 and r.field = $2 and r.measure = $3 order by r.id`,
    [scope, fieldTextOf(rule), measure],
  );
  return rows.map(toRule);
}

/**
 * Returns the enforced rules with the same scope, field and measure as one of the given rules.
 * Rules in a partial rollout are omitted. For each scope, field and measure, it returns at most
 * `mostPerLevel` rules, those with the highest precedence.
 */
export async function readRivalsOfLevels(
  on: Queryable,
  rules: readonly RuleLevel[],
  mostPerLevel: number,
): Promise<RuleRecord[]> {
  const rows = await on.query<RuleRow>(
    `${SELECT} where r.id in (
       select id from (
         select id, row_number() over (
           partition by scope, field, measure order by action = 'EXEMPT' desc, priority, id
         ) as place
         from rules where retired_at is null and mode = 'ENFORCE' and rollout_percent >= 100
           and (scope, field, measure) in (select * from unnest($1::text[], $2::text[], $3::text[]))
       ) as placed where place <= $4
     )`,
    [rules.map(({ scope }) => scope), rules.map(fieldTextOf), rules.map(({ measure }) => measure), mostPerLevel],
  );
  return rows.map(toRule);
}

/**
 * Returns the rules in use with exactly these field patterns. For each pattern, returns the oldest
 * rules, at most `mostPerPattern`.
 */
export async function readRulesOfFields(
  on: Queryable,
  patterns: readonly string[],
  mostPerPattern: number,
): Promise<RuleRecord[]> {
  const rows = await on.query<RuleRow>(
    `${SELECT} where r.id in (
       select id from (
         select id, row_number() over (partition by pattern order by id) as place
         from rules, unnest(string_to_array(field, ', ')) as pattern
         where retired_at is null and pattern = any($1::text[])
       ) as placed where place <= $2
     ) order by r.id`,
    [patterns, mostPerPattern],
  );
  return rows.map(toRule);
}

/** Returns the names of all rules in use. */
export async function readRuleNames(on: Queryable): Promise<string[]> {
  const rows = await on.query<{ name: string }>('select name from rules where retired_at is null order by id');
  return rows.map(({ name }) => name);
}

/** Returns the given names that belong to rules in use. */
export async function readNamesInUse(on: Queryable, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await on.query<{ name: string }>(
    'select name from rules where retired_at is null and name = any($1::text[])',
    [names],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Columns of a rule and their types, for a JSON array that PostgreSQL reads as rows. */
const WRITTEN = `name text, description text, mode text, rollout_percent double precision, priority integer,
  match_operation_types text[], match_operation_names text[], match_clients text[], match_addresses text[],
  match_callers text, match_credentials text[], match_users text[], match_tenants text[], match_keys text[],
  match_agents boolean, match_document text, match_apps text[], match_app_versions text[], scope text, field text, measure text, action text, max_delay_ms integer,
  on_unavailable text, response_code text, response_message text, response_status integer, precision text, region_mode text,
  on_event_denied text, schedule jsonb, active_from timestamptz, active_until timestamptz, needs text[]`;
const COLUMNS = WRITTEN.split(',').map((column) => column.trim().split(' ')[0]!);

/** An edited rule. Every attribute is written, and the version is incremented. */
interface RuleEdit {
  id: string;
  rule: RuleAttributes;
  /** Whether the rule is retired after this edit. */
  retired: boolean;
}

/** Inserts rules in the order of the list. Resolves to their ids in that order. */
export async function insertRules(on: Queryable, rules: readonly RuleAttributes[]): Promise<string[]> {
  if (rules.length === 0) return [];
  const rows = await on.query<{ id: number; name: string }>(
    `insert into rules (${COLUMNS.join(', ')})
     select ${COLUMNS.join(', ')}
     from rows from (jsonb_to_recordset($1::jsonb) as (${WRITTEN})) with ordinality as given (${COLUMNS.join(', ')}, place)
     order by place returning id, name`,
    [JSON.stringify(rules.map(toRuleColumns))],
  );
  const ids = new Map(rows.map(({ id, name }) => [name, String(id)]));
  const added = rules.map((rule) => ({ id: ids.get(rule.name)!, rule }));
  await insertParts(on, added);
  return added.map(({ id }) => id);
}

export async function saveRules(on: Queryable, edits: readonly RuleEdit[]): Promise<void> {
  if (edits.length === 0) return;
  const unknown = await findUnknownFeatures(
    on,
    'rule',
    edits.map(({ id }) => id),
  );
  if (unknown) throw new Error(unknown.message);
  const given = edits.map(({ id, rule, retired }) => ({ id: Number(id), retired, ...toRuleColumns(rule) }));
  const assignments = COLUMNS.map((column) => `${column} = given.${column}`).join(', ');
  await on.query(
    `update rules set ${assignments}, version = version + 1, updated_at = now(),
       retired_at = case when given.retired then coalesce(rules.retired_at, now()) end
     from jsonb_to_recordset($1::jsonb) as given (id bigint, retired boolean, ${WRITTEN})
     where rules.id = given.id`,
    [JSON.stringify(given)],
  );
  const ids = edits.map(({ id }) => id);
  await on.query('delete from rule_tiers where rule_id = any($1::bigint[])', [ids]);
  await on.query('delete from rule_limits where rule_id = any($1::bigint[])', [ids]);
  await insertParts(on, edits);
}

async function insertParts(on: Queryable, parts: readonly Pick<RuleEdit, 'id' | 'rule'>[]): Promise<void> {
  const tiers = parts.flatMap(({ id, rule }) => (rule.match.tiers ?? []).map((tier) => ({ id, tier })));
  if (tiers.length > 0) {
    await on.query('insert into rule_tiers (rule_id, tier) select * from unnest($1::bigint[], $2::text[])', [
      tiers.map(({ id }) => id),
      tiers.map(({ tier }) => tier),
    ]);
  }
  const limits = parts.flatMap(({ id, rule }) => rule.limits.map((limit, position) => ({ id, position, limit })));
  if (limits.length === 0) return;
  await on.query(
    `insert into rule_limits (rule_id, position, key, algorithm, capacity, refill_amount, refill_period_ms, amount,
       window_ms, strict, lease_ms, max_wait_ms, max_queue, per_connection, count_denied, max_debt, calendar)
     select id, position, l ->> 'key', l ->> 'algorithm', (l ->> 'capacity')::bigint,
       (l ->> 'refillAmount')::bigint, (l ->> 'refillPeriodMs')::bigint, (l ->> 'amount')::bigint,
       (l ->> 'windowMs')::bigint, (l ->> 'strict')::boolean, (l ->> 'leaseMs')::bigint,
       (l ->> 'maxWaitMs')::integer, (l ->> 'maxQueue')::integer, (l ->> 'perConnection')::boolean,
       (l ->> 'countDenied')::boolean, (l ->> 'maxDebt')::bigint, calendar
     from jsonb_to_recordset($1::jsonb) as given (id bigint, position integer, "limit" jsonb, calendar jsonb)
       cross join lateral (select "limit" as l) as of_rule`,
    [
      JSON.stringify(
        limits.map(({ id, limit, position }) => ({ id: Number(id), position, limit, calendar: calendarOf(limit) })),
      ),
    ],
  );
}

function toRule(row: RuleRow): RuleRecord {
  const { action, max_delay_ms: maxDelayMs } = row;
  const patterns = patternsIn(row.field);
  return {
    id: String(row.id),
    name: row.name,
    ...(row.description !== null && { description: row.description }),
    mode: row.mode,
    rolloutPercent: row.rollout_percent,
    priority: row.priority,
    match: {
      ...(row.match_tiers.length > 0 && { tiers: row.match_tiers }),
      ...(row.match_operation_types.length > 0 && { operationTypes: row.match_operation_types }),
      ...(row.match_operation_names.length > 0 && { operationNames: row.match_operation_names }),
      ...(row.match_clients.length > 0 && { clients: row.match_clients }),
      ...(row.match_addresses.length > 0 && { addresses: row.match_addresses }),
      ...(row.match_callers !== null && { callers: row.match_callers }),
      ...(row.match_credentials.length > 0 && { credentials: row.match_credentials }),
      ...(row.match_users.length > 0 && { users: row.match_users }),
      ...(row.match_tenants.length > 0 && { tenants: row.match_tenants }),
      ...(row.match_keys.length > 0 && { keys: row.match_keys }),
      ...(row.match_agents && { agents: true as const }),
      ...(row.match_document !== null && { document: row.match_document }),
      ...(row.match_apps.length > 0 && { apps: row.match_apps }),
      ...(row.match_app_versions.length > 0 && { appVersions: row.match_app_versions }),
    },
    scope: row.scope,
    ...(patterns.length > 1 ? { fields: patterns } : { field: row.field }),
    measure: row.measure,
    limits: row.limits,
    action: action === 'THROTTLE' ? { type: action, maxDelayMs: maxDelayMs ?? 0 } : { type: action },
    onUnavailable: row.on_unavailable,
    precision: row.precision,
    regionMode: row.region_mode,
    onEventDenied: row.on_event_denied,
    ...(Object.keys(row.response).length > 0 && { response: row.response }),
    ...(row.schedule && { schedule: row.schedule }),
    ...(row.active_from && { activeFrom: row.active_from.toISOString() }),
    ...(row.active_until && { activeUntil: row.active_until.toISOString() }),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    retiredAt: row.retired_at,
  };
}
