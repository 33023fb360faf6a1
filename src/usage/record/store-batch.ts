import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.js';
import type { Db, SqlValue, Tx } from '../../postgres/db.js';
import { storedText } from '../../runtime/stored-text.js';
import { type AddStatements, addStatements } from './add-statements.js';
import type { LoggedDecision } from './create-decision-sample.js';
import type { DeniedDocument } from './create-denied-documents.js';
import type { FieldEntry } from './create-field-aggregate.js';
import type { UsageEntry } from './create-minute-counts.js';
import type { NameNumbers } from './create-name-numbers.js';
import type { RuleEntry, ViolationEntry } from './create-rule-counts.js';
import type { UsageTotals } from './create-usage-aggregate.js';
import { type MinuteEntry, type OperationEntry, sumsOfMinutes, sumsOfOperations } from './sums-of-operations.js';
import type { UsageEvent } from './usage-event.js';
import { INTEGRATION_SQL, OPERATION_SQL, REGION_SQL, USAGE_COUNTS, USAGE_SQL } from './usage-sql.js';
import { UsageWentBack, type UsageWriter } from './usage-writer.js';

/** Rows that are stored together, all or nothing. */
export interface UsageBatch {
  /** Number of the batch. It rises with each batch of a writer. */
  sequence: number;
  totals: UsageTotals;
  events: readonly UsageEvent[];
  decisions: readonly LoggedDecision[];
  /** Documents of `events`, except those that this instance has stored recently. */
  documents: readonly DeniedDocument[];
}

interface BatchTx {
  tx: Tx;
  isEmbedded: boolean;
}

/**
 * Maximum number of rows per statement. Formatting them takes a few milliseconds and blocks the
 * process.
 */
const ROWS_PER_STATEMENT = 1_000;
/**
 * Maximum number of rows per statement in the embedded database, which runs statements in this
 * process and blocks it.
 */
const ROWS_PER_EMBEDDED_STATEMENT = 50;

/**
 * Stores a batch exactly once, even if it is sent several times. A writer sends its batches in
 * order, and a batch that is not newer than the last one is already stored.
 *
 * Minutes, hours, days and weeks are updated together. So no instance has to aggregate them later,
 * and their sums agree at any time. Rows are written in the order of their keys, so that two
 * instances cannot deadlock: one waits for the other.
 */
export async function storeBatch(
  db: Db,
  { id: writerId, lastStored, region }: UsageWriter,
  batch: UsageBatch,
  names: NameNumbers,
): Promise<void> {
  const { usage, fields, rules, violations, integrations } = batch.totals;
  const { isEmbedded = false } = db;
  const operations = sumsOfOperations(usage);
  const size = isEmbedded ? ROWS_PER_EMBEDDED_STATEMENT : ROWS_PER_STATEMENT;
  await names.learn({
    subjects: [...usage, ...violations].map(({ subject }) => subject),
    operations: usage.map(({ operation }) => operation),
    coordinates: new Set([
      ...fields.map(({ coordinate }) => coordinate),
      ...batch.decisions.flatMap((decision) => decision.fields.map(({ coordinate }) => coordinate)),
    ]),
    rules: [...rules, ...violations].map(({ rule }) => rule),
  });
  await db.tx(
    async (tx) => {
      const isNew = await tx.query<{ before: number }>(
        `with stored as (select last_batch from usage_writers where id = $1::uuid)
        insert into usage_writers as known (id, last_batch) values ($1::uuid, $2)
        on conflict (id) do update set last_batch = excluded.last_batch, stored_at = now()
        where known.last_batch < excluded.last_batch
        returning coalesce((select last_batch from stored), 0) as before`,
        [writerId, batch.sequence],
      );
      if (isNew.length === 0) return;
      const { before } = isNew[0]!;
      if (before < lastStored) throw new UsageWentBack(before);
      const own = { tx, isEmbedded };
      if (!isEmbedded) {
        const isLarge = [usage, violations, operations, fields, rules].some(({ length }) => length > size);
        await waitForOthers(tx, isLarge);
      }
      if (batch.documents.length > 0) await storeDocuments(tx, batch.documents);
      await storeEvents(tx, chunks(batch.events, size), region);
      await storeDecisions(tx, chunks(batch.decisions, size), names, region);
      await storeUsage(own, chunks(usage, size), names);
      await storeViolations(own, chunks(violations, size), names);
      // Operations, fields, rules, integrations and regions come last, because all instances write the same
      // rows, which are locked from here on.
      await storeOperations(own, chunks(operations, size), names);
      await storeFields(own, chunks(fields, size), names);
      await storeRules(own, chunks(rules, size), names);
      await storeByName(own, INTEGRATION_SQL, chunks(integrations, size), ({ integration }) => integration);
      const minutes = region === undefined ? [] : sumsOfMinutes(operations);
      await storeByName(own, REGION_SQL, chunks(minutes, size), () => region!);
    },
    // The guard (see `isGuarded`) would slow down the requests that run at the same time.
    { isGuarded: false },
  );
}

/**
 * Acquires the advisory lock of usage batches: shared, or exclusively for a large batch. Small
 * batches write their rows in the order of their keys, so they cannot deadlock. A large batch takes
 * several statements for a table and does not keep that order, so it has to run alone.
 */
async function waitForOthers(tx: Tx, goesAlone: boolean): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock${goesAlone ? '' : '_shared'}(${ADVISORY_LOCKS.usageBatch})`);
}

async function storeUsage(tx: BatchTx, entries: Chunks<UsageEntry>, names: NameNumbers): Promise<void> {
  for (const some of entries) {
    await add(tx, USAGE_SQL, [
      numbers(some, minuteSeconds),
      numbers(some, ({ subject }) => names.subject(subject)),
      numbers(some, ({ operation }) => names.operation(operation)),
      some.map(({ tier }) => tier),
      ...USAGE_COUNTS.map((count) => numbers(some, (entry) => entry[count])),
    ]);
  }
}

async function storeOperations(tx: BatchTx, entries: Chunks<OperationEntry>, names: NameNumbers): Promise<void> {
  for (const some of entries) {
    await add(tx, OPERATION_SQL, [
      numbers(some, minuteSeconds),
      numbers(some, ({ operation }) => names.operation(operation)),
      some.map(({ tier }) => tier),
      ...USAGE_COUNTS.map((count) => numbers(some, (entry) => entry[count])),
    ]);
  }
}

const VIOLATION_COUNTS = ['denied', 'shadow_denied', 'denied_cost'] as const;

const VIOLATION_SQL = addStatements({ rule_id: 'integer', subject_id: 'bigint' }, VIOLATION_COUNTS, [
  ['usage_violation_minute', 'minute', ['rule_id', 'subject_id']],
  ['usage_violation_hour', 'hour', ['rule_id', 'subject_id']],
  ['usage_violation_day', 'day', ['rule_id', 'subject_id']],
]);

async function storeViolations(tx: BatchTx, entries: Chunks<ViolationEntry>, names: NameNumbers): Promise<void> {
  for (const some of entries) {
    await add(tx, VIOLATION_SQL, [
      numbers(some, minuteSeconds),
      numbers(some, ({ rule }) => names.rule(rule)),
      numbers(some, ({ subject }) => names.subject(subject)),
      ...VIOLATION_COUNTS.map((count) => numbers(some, (entry) => entry[count])),
    ]);
  }
}

const FIELD_COUNTS = [
  'requests',
  'denied',
  'estimated_calls',
  'actual_calls',
  'estimated_cost',
  'actual_cost',
] as const;

const FIELD_SQL = addStatements({ field_id: 'integer' }, FIELD_COUNTS, [
  ['usage_field_minute', 'minute', ['field_id']],
  ['usage_field_hour', 'hour', ['field_id']],
  ['usage_field_day', 'day', ['field_id']],
]);

async function storeFields(tx: BatchTx, entries: Chunks<FieldEntry>, names: NameNumbers): Promise<void> {
  for (const some of entries) {
    await add(tx, FIELD_SQL, [
      numbers(some, minuteSeconds),
      numbers(some, ({ coordinate }) => names.field(coordinate)),
      ...FIELD_COUNTS.map((count) => numbers(some, (entry) => entry[count])),
    ]);
  }
}

const RULE_COUNTS = ['requests', 'denied', 'shadow_denied', 'estimated_cost', 'actual_cost', 'denied_cost'] as const;

const RULE_SQL = addStatements({ rule_id: 'integer' }, RULE_COUNTS, [
  ['usage_rule_minute', 'minute', ['rule_id']],
  ['usage_rule_hour', 'hour', ['rule_id']],
  ['usage_rule_day', 'day', ['rule_id']],
]);

async function storeRules(tx: BatchTx, entries: Chunks<RuleEntry>, names: NameNumbers): Promise<void> {
  for (const some of entries) {
    await add(tx, RULE_SQL, [
      numbers(some, minuteSeconds),
      numbers(some, ({ rule }) => names.rule(rule)),
      ...RULE_COUNTS.map((count) => numbers(some, (entry) => entry[count])),
    ]);
  }
}

/** Stores counts of minutes by a name, such as that of an integration. */
async function storeByName<Entry extends MinuteEntry>(
  tx: BatchTx,
  sql: AddStatements,
  entries: Chunks<Entry>,
  nameOf: (entry: Entry) => string,
): Promise<void> {
  for (const some of entries) {
    await add(tx, sql, [
      numbers(some, minuteSeconds),
      some.map(nameOf),
      ...USAGE_COUNTS.map((count) => numbers(some, (entry) => entry[count])),
    ]);
  }
}

async function add(
  { tx, isEmbedded }: BatchTx,
  { together, apart }: AddStatements,
  columns: SqlValue[],
): Promise<void> {
  for (const sql of isEmbedded ? apart : [together]) await tx.query(sql, columns);
}

/** Stores documents in the order of their keys, because other instances may store the same ones. */
async function storeDocuments(tx: Tx, documents: readonly DeniedDocument[]): Promise<void> {
  await tx.query(
    `insert into denied_documents as known (hash, text, last_seen_on)
    select hash, text, (now() at time zone 'UTC')::date
    from unnest($1::text[], $2::text[]) as given (hash, text) order by hash
    on conflict (hash) do update set last_seen_on = greatest(known.last_seen_on, excluded.last_seen_on)`,
    [documents.map(({ hash }) => hash), documents.map(({ text }) => text)],
  );
}

async function storeEvents(tx: Tx, events: Chunks<UsageEvent>, region: string | undefined): Promise<void> {
  for (const some of events) {
    await tx.query(
      `insert into events (
        at, kind, code, rule, tenant_id, user_id, api_key, ip, tier, operation_type, operation_name, client, degraded,
        requested_cost, scope, field, charge, limit_amount, used, remaining, retry_after_ms, document, variables,
        integration, service, app, app_version, document_id, region
      )
      select to_timestamp(at_ms / 1000.0), kind, code, rule, tenant_id, user_id, api_key, ip, tier, operation_type,
        operation_name, client, degraded, requested_cost, scope, field, charge, limit_amount, used, remaining,
        retry_after_ms, document, variables, integration, service, app, app_version, document_id, $29::text
      from unnest(
        $1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
        $10::text[], $11::text[], $12::text[], $13::boolean[], $14::bigint[], $15::text[], $16::text[], $17::bigint[],
        $18::bigint[], $19::bigint[], $20::bigint[], $21::bigint[], $22::text[], $23::text[], $24::text[], $25::text[],
        $26::text[], $27::text[], $28::text[]
      ) as given (
        at_ms, kind, code, rule, tenant_id, user_id, api_key, ip, tier, operation_type, operation_name, client, degraded,
        requested_cost, scope, field, charge, limit_amount, used, remaining, retry_after_ms, document, variables,
        integration, service, app, app_version, document_id
      )`,
      [
        numbers(some, ({ atMs }) => atMs),
        some.map(({ kind }) => kind),
        some.map(({ code }) => code),
        some.map(({ rule }) => cut(rule, 100)),
        ...callerColumns(some),
        some.map(({ degraded }) => degraded),
        numbers(some, ({ requested_cost }) => requested_cost),
        some.map(({ scope }) => scope),
        some.map(({ field }) => cut(field, 256)),
        numbers(some, ({ charge }) => charge),
        numbers(some, ({ limit_amount }) => limit_amount),
        numbers(some, ({ used }) => used),
        numbers(some, ({ remaining }) => remaining),
        numbers(some, ({ retry_after_ms }) => retry_after_ms),
        some.map(({ document }) => document),
        some.map(({ variables }) => variables),
        some.map(({ integration }) => integration),
        some.map(({ service }) => cut(service, 200)),
        some.map(({ app }) => app),
        some.map(({ app_version }) => app_version),
        some.map(({ document_id }) => document_id),
        region ?? null,
      ],
    );
  }
}

async function storeDecisions(
  tx: Tx,
  decisions: Chunks<LoggedDecision>,
  names: NameNumbers,
  region: string | undefined,
): Promise<void> {
  for (const some of decisions) {
    await tx.query(
      `insert into decisions (
        at, tenant_id, user_id, api_key, ip, tier, operation_type, operation_name, client, own_bucket, key_budget, batch,
        verdict, denied_by, degraded, estimated_cost, actual_cost, duration_ms, fields, amounts, sampled, agent,
        app, app_version, key_calendar, billing_anchor, region
      )
      select to_timestamp(at_ms / 1000.0), tenant_id, user_id, api_key, ip, tier, operation_type, operation_name, client,
        own_bucket::bigint[], key_budget::bigint[], batch, verdict, denied_by, degraded, estimated_cost, actual_cost,
        duration_ms, fields::integer[], amounts::integer[], sampled, agent, app, app_version,
        key_calendar::jsonb, billing_anchor, $27::text
      from unnest(
        $1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
        $10::text[], $11::text[], $12::bigint[], $13::text[], $14::text[], $15::boolean[], $16::bigint[], $17::bigint[],
        $18::integer[], $19::text[], $20::text[], $21::real[], $22::boolean[],
        $23::text[], $24::text[], $25::text[], $26::text[]
      ) as given (
        at_ms, tenant_id, user_id, api_key, ip, tier, operation_type, operation_name, client, own_bucket, key_budget, batch,
        verdict, denied_by, degraded, estimated_cost, actual_cost, duration_ms, fields, amounts, sampled, agent,
        app, app_version, key_calendar, billing_anchor
      )`,
      [
        numbers(some, ({ atMs }) => atMs),
        ...callerColumns(some),
        // `unnest` would also expand the inner arrays into rows, so these are passed as text.
        some.map(({ own_bucket }) => own_bucket && `{${own_bucket.join(',')}}`),
        some.map(({ key_budget }) => key_budget && `{${key_budget.join(',')}}`),
        numbers(some, ({ batch }) => batch),
        some.map(({ verdict }) => verdict),
        some.map(({ denied_by }) => cut(denied_by, 100)),
        some.map(({ degraded }) => degraded),
        numbers(some, ({ estimated_cost }) => estimated_cost),
        numbers(some, ({ actual_cost }) => actual_cost),
        numbers(some, ({ duration_ms }) => duration_ms),
        some.map(({ fields }) => fieldsText(fields, names)),
        some.map(({ amounts }) => amounts && `{${amounts.join(',')}}`),
        numbers(some, ({ sampled }) => sampled),
        some.map(({ agent }) => agent),
        some.map(({ app }) => app),
        some.map(({ app_version }) => app_version),
        some.map(({ key_calendar }) => key_calendar && JSON.stringify(key_calendar)),
        some.map(({ billing_anchor }) => billing_anchor),
        region ?? null,
      ],
    );
  }
}

type Caller = Pick<
  UsageEvent,
  'tenant_id' | 'user_id' | 'api_key' | 'ip' | 'tier' | 'operation_type' | 'operation_name' | 'client'
>;

/** Returns the columns from `tenant_id` to `client`, in the order of the insert statements. */
function callerColumns(rows: readonly Caller[]): SqlValue[] {
  return [
    rows.map(({ tenant_id }) => cut(tenant_id, 512)),
    rows.map(({ user_id }) => cut(user_id, 512)),
    rows.map(({ api_key }) => cut(api_key, 512)),
    rows.map(({ ip }) => cut(ip, 512)),
    rows.map(({ tier }) => tier),
    rows.map(({ operation_type }) => operation_type),
    rows.map(({ operation_name }) => cut(operation_name, 200)),
    rows.map(({ client }) => cut(client, 200)),
  ];
}

function fieldsText(fields: LoggedDecision['fields'], names: NameNumbers): string {
  const numbers = fields.flatMap(({ coordinate, calls, cost, actualCalls, actualCost }) => [
    names.field(coordinate),
    calls,
    cost,
    actualCalls,
    actualCost,
  ]);
  return `{${numbers.join(',')}}`;
}

function minuteSeconds({ minuteMs }: { minuteMs: number }): number {
  return minuteMs / 1000;
}

function cut(text: string | null, maxBytes: number): string | null {
  return text === null ? null : storedText(text, maxBytes);
}

/**
 * Formats a column of numbers as a PostgreSQL array. It is faster than the driver, which checks
 * each number for characters to quote.
 */
function numbers<Row>(rows: readonly Row[], of: (row: Row) => number | null): string {
  let text = '{';
  for (let index = 0; index < rows.length; index++) text += `${index === 0 ? '' : ','}${of(rows[index]!) ?? 'null'}`;
  return `${text}}`;
}

type Chunks<Row> = Iterable<readonly Row[]>;

function* chunks<Row>(rows: readonly Row[], size: number): Chunks<Row> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}
