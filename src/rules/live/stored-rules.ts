import type { Connections, Queryable } from '../../postgres/db.js';
import { attributesOf } from '../store/create-rule-store.js';
import { type RuleRecord, readRules, readRulesById } from '../store/rule-record.js';
import { readTiers, type TierRecord } from '../store/tier-record.js';

/** The tables that make a ruleset. */
const TABLES = ['tiers', 'rules', 'rule_tiers', 'rule_limits'];

/** Tiers and rules as they stood together at one moment, unchecked. */
export function readStoredRules(db: Connections): Promise<StoredRules & { isStandby: boolean }> {
  return db.tx(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const [server] = await tx.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
    const number = await readRulesNumber(tx);
    const fingerprint = await readFingerprint(tx);
    const tiers = await readTiers(tx);
    const rules = await readRules(tx);
    return {
      isStandby: server!.isStandby,
      number,
      fingerprint,
      tiers: tiers.map(toTierInput),
      rules: rules.map(toRuleInput),
    };
  });
}

/** From here on it is quicker to read everything. */
const MAX_CHANGED = 500;

/**
 * What was changed after change `since`, as it stands at one later moment; undefined: too much of it. One moment, so that
 * no part of a change is in force without the rest.
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
    return {
      number: changes.at(-1)?.number ?? since,
      tiers: (await readTiers(tx)).map(toTierInput),
      written,
      rules: rules.filter(({ retiredAt }) => retiredAt === null).map(toRuleInput),
    };
  });
}

async function readRulesNumber(on: Queryable): Promise<number> {
  const [row] = await on.query<{ number: number }>(
    `select number from changes where entity in ('TIER', 'RULE') order by number desc limit 1`,
  );
  return row?.number ?? 0;
}

/** Differs after every write to the tables, by whatever program: each row carries the transaction that wrote it. */
export async function readFingerprint(on: Queryable): Promise<string> {
  const parts = TABLES.map((table) => `(select count(*) || '/' || coalesce(sum(xmin::text::bigint), 0) from ${table})`);
  const [row] = await on.query<{ fingerprint: string }>(`select ${parts.join(` || ' ' || `)} as fingerprint`);
  return row!.fingerprint;
}

/** When its first migration was applied: two databases never share that microsecond, and a restored one keeps it. */
export async function readDatabaseId(on: Queryable): Promise<string> {
  const [row] = await on.query<{ id: string }>(
    `select (extract(epoch from applied_at) * 1000000)::bigint::text as id from schema_migrations where number = 1`,
  );
  return row!.id;
}

function toRuleInput(rule: RuleRecord): object {
  return { ...attributesOf(rule), id: rule.id };
}

/** As `parsePolicy` takes it: what is for people and for the record is left out. */
function toTierInput(tier: TierRecord): object {
  const {
    monthlyPrice: _price,
    version: _version,
    createdAt: _created,
    updatedAt: _updated,
    retiredAt: _retired,
    ...input
  } = tier;
  return input;
}

/** Tiers and rules as they are stored, unchecked, of one state of the database. */
export interface StoredRules {
  /** The latest change of a tier or rule that they include. */
  number: number;
  tiers: readonly unknown[];
  /** By their ids. */
  rules: readonly unknown[];
  /**
   * Changes with every write to the tables, also with one that passed by Tollgate and has no number. Empty: it is not
   * known, because not all of the tables was read.
   */
  fingerprint: string;
}

/** What of one state of the database differs from an earlier one. */
export interface ChangedRules {
  /** The latest change of a tier or rule. */
  number: number;
  /** All of them: they are few. */
  tiers: readonly unknown[];
  /** The ids of the rules that were written. */
  written: readonly string[];
  /** Those of them that are in use. */
  rules: readonly unknown[];
}

/** The state that comes of an earlier one and everything that was changed since. What was not is the same objects. */
export function applyChanges(base: StoredRules, { number, tiers, written, rules }: ChangedRules): StoredRules {
  const gone = new Set(written);
  const kept = base.rules.filter((rule) => !gone.has(idOf(rule)));
  // In the order in which the whole of it is read: a rule that was put back into use is not the newest.
  const all = [...kept, ...rules].sort((a, b) => Number(idOf(a)) - Number(idOf(b)));
  return { number, tiers, rules: all, fingerprint: '' };
}

/** Whether both say the same; rules that are equal have to be the same objects. */
export function isSameState(one: StoredRules, other: StoredRules): boolean {
  return (
    one.number === other.number &&
    one.rules.length === other.rules.length &&
    one.rules.every((rule, index) => rule === other.rules[index]) &&
    JSON.stringify(one.tiers) === JSON.stringify(other.tiers)
  );
}

/** What another instance or process has written down; undefined when it is rubbish. */
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
 * Recognises the rules that are as they were when they were read last, so that what was worked out of them is not worked
 * out again: to check 10,000 rules would hold up requests for a quarter of a second.
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

  /** The same rules; those that stand among `known` as the objects that they are there. */
  return (rules: readonly unknown[], known: readonly unknown[]): unknown[] => {
    const byText = new Map(known.map((rule) => [textOf(rule), rule]));
    return rules.map((rule) => byText.get(textOf(rule)) ?? rule);
  };
}

function idOf(rule: unknown): string {
  return typeof rule === 'object' && rule !== null && 'id' in rule ? String(rule.id) : '';
}
