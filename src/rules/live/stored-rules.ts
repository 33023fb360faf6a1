import type { Connections, Queryable } from '../../postgres/db.js';
import { FEATURES } from '../policy/features.js';
import { attributesOf } from '../store/create-rule-store.js';
import { type RuleRecord, readRules, readRulesById } from '../store/rule-record.js';
import { readTiers, type TierRecord } from '../store/tier-record.js';

/** Tables that define a ruleset. */
const TABLES = ['tiers', 'rules', 'rule_tiers', 'rule_limits'];

/** Reads tiers and rules in one consistent transaction, without checking them. */
export function readStoredRules(db: Connections): Promise<StoredRules & { isStandby: boolean }> {
  return db.tx(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const [server] = await tx.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
    const number = await readRulesNumber(tx);
    const fingerprint = await readFingerprint(tx);
    const tiers = await readTiers(tx);
    const rules = await readRules(tx);
    const unknown = await readUnknown(tx);
    return {
      isStandby: server!.isStandby,
      number,
      fingerprint,
      tiers: tiers.map((tier) => toTierInput(tier, unknown)),
      rules: rules.map((rule) => toRuleInput(rule, unknown)),
    };
  });
}

/** Maximum number of changes to read individually. Above it, a full read is faster. */
const MAX_CHANGED = 500;

/**
 * Reads the tiers, and the rules that were changed after change `since`. Returns undefined if there
 * are too many. It reads them in one transaction, so that no part of a change comes into force
 * without the rest.
 */
export function readChangedRules(db: Connections, since: number): Promise<ChangedRules | undefined> {
  return db.tx(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const changes = await tx.query<{ number: number; entity: string; key: string }>(
      `select number, entity, entity_key as key from changes
       where number > $1 and entity in ('TIER', 'RULE') order by number limit ${MAX_CHANGED + 1}`,
      [since],
    );
    if (changes.length > MAX_CHANGED) return undefined;
    const written = [...new Set(changes.filter(({ entity }) => entity === 'RULE').map(({ key }) => key))];
    const rules = written.length > 0 ? await readRulesById(tx, written) : [];
    const unknown = await readUnknown(tx);
    return {
      number: changes.at(-1)?.number ?? since,
      tiers: (await readTiers(tx)).map((tier) => toTierInput(tier, unknown)),
      written,
      rules: rules.filter(({ retiredAt }) => retiredAt === null).map((rule) => toRuleInput(rule, unknown)),
    };
  });
}

/** Features that this version does not know, by the table and the key of the row that uses them. */
type UnknownFeatures = ReadonlyMap<string, readonly string[]>;

/** Reads the rules and tiers in use that need features which this version does not know. */
async function readUnknown(on: Queryable): Promise<UnknownFeatures> {
  const rows = await on.query<{ row: string; unknown: string[] }>(
    `select row, array(select unnest(needs) except select unnest($1::text[])) as unknown from (
       select 'rule ' || id as row, needs from rules where retired_at is null
       union all select 'tier ' || name, needs from tiers where retired_at is null
     ) as stored where not needs <@ $1::text[]`,
    [FEATURES],
  );
  return new Map(rows.map(({ row, unknown }) => [row, unknown]));
}

async function readRulesNumber(on: Queryable): Promise<number> {
  const [row] = await on.query<{ number: number }>(
    `select number from changes where entity in ('TIER', 'RULE') order by number desc limit 1`,
  );
  return row?.number ?? 0;
}

/**
 * Returns a fingerprint that differs after every write to the tables, by any program. It is built
 * from the transaction ids of the rows (`xmin`).
 */
export async function readFingerprint(on: Queryable): Promise<string> {
  const parts = TABLES.map((table) => `(select count(*) || '/' || coalesce(sum(xmin::text::bigint), 0) from ${table})`);
  const [row] = await on.query<{ fingerprint: string }>(`select ${parts.join(` || ' ' || `)} as fingerprint`);
  return row!.fingerprint;
}

/**
 * Returns the id of the database: the time of its first migration in microseconds. In practice, no
 * two databases have the same time. A restored database keeps its id.
 */
export async function readDatabaseId(on: Queryable): Promise<string> {
  const [row] = await on.query<{ id: string }>(
    `select (extract(epoch from applied_at) * 1000000)::bigint::text as id from schema_migrations where number = 1`,
  );
  return row!.id;
}

function toRuleInput(rule: RuleRecord, features: UnknownFeatures): object {
  const unknown = features.get(`rule ${rule.id}`);
  return { ...attributesOf(rule), id: rule.id, ...(unknown && { unknown }) };
}

/**
 * Converts a stored tier to the input of `parsePolicy`, without the price and bookkeeping fields.
 */
function toTierInput(tier: TierRecord, features: UnknownFeatures): object {
  const {
    monthlyPrice: _price,
    version: _version,
    createdAt: _created,
    updatedAt: _updated,
    retiredAt: _retired,
    ...input
  } = tier;
  const unknown = features.get(`tier ${tier.name}`);
  return { ...input, ...(unknown && { unknown }) };
}

/** Stored tiers and rules of one state of the database, unchecked. */
export interface StoredRules {
  /** Number of the latest change of a tier or rule that is included. */
  number: number;
  tiers: readonly unknown[];
  /** Rules in the order of their ids. */
  rules: readonly unknown[];
  /**
   * Fingerprint of the tables, which changes with every write, even one that bypasses Tollgate.
   * Empty if only part of the tables was read.
   */
  fingerprint: string;
}

/** The differences between a state of the database and an earlier one. */
export interface ChangedRules {
  /** Number of the latest change of a tier or rule. */
  number: number;
  /** All tiers, because they are few. */
  tiers: readonly unknown[];
  /** Ids of the rules that were created, changed, retired or restored. */
  written: readonly string[];
  /** Those of the `written` rules that are not retired. */
  rules: readonly unknown[];
}

/** Applies changes to an earlier state. Unchanged rules stay the same objects. */
export function applyChanges(base: StoredRules, { number, tiers, written, rules }: ChangedRules): StoredRules {
  const gone = new Set(written);
  const kept = base.rules.filter((rule) => !gone.has(idOf(rule)));
  // The order by id equals that of a full read. A restored rule returns to its old position.
  const all = [...kept, ...rules].sort((a, b) => Number(idOf(a)) - Number(idOf(b)));
  return { number, tiers, rules: all, fingerprint: '' };
}

/**
 * Whether both states have the same content. Rules count as equal only if they are the same
 * objects.
 */
export function isSameState(one: StoredRules, other: StoredRules): boolean {
  return (
    one.number === other.number &&
    one.rules.length === other.rules.length &&
    one.rules.every((rule, index) => rule === other.rules[index]) &&
    JSON.stringify(one.tiers) === JSON.stringify(other.tiers)
  );
}

/**
 * Parses a state that another instance or process has written. Returns undefined if it is
 * malformed.
 */
export function parseStored(text: string | undefined): StoredRules | undefined {
  if (text === undefined) return undefined;
  try {
    const { number, tiers, rules, fingerprint } = JSON.parse(text) as Partial<StoredRules>;
    if (typeof number !== 'number' || typeof fingerprint !== 'string') return undefined;
    return Array.isArray(tiers) && Array.isArray(rules) ? { number, tiers, rules, fingerprint } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Creates a function that finds unchanged rules, so that they are not checked again. Checking
 * 10,000 rules would block requests for some tenths of a second.
 */
export function createRuleRecognizer() {
  const texts = new WeakMap<object, string>();

  function textOf(rule: unknown): string {
    if (typeof rule !== 'object' || rule === null) return JSON.stringify(rule);
    const known = texts.get(rule);
    if (known !== undefined) return known;
    const text = JSON.stringify(rule);
    texts.set(rule, text);
    return text;
  }

  /** Returns the rules, with the objects from `known` for those that are equal. */
  return (rules: readonly unknown[], known: readonly unknown[]): unknown[] => {
    const byText = new Map(known.map((rule) => [textOf(rule), rule]));
    return rules.map((rule) => byText.get(textOf(rule)) ?? rule);
  };
}

function idOf(rule: unknown): string {
  return typeof rule === 'object' && rule !== null && 'id' in rule ? String(rule.id) : '';
}
