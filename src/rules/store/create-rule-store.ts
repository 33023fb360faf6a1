import type { Rule } from '../../model/rule.js';
import type { Connections, Queryable, Tx } from '../../postgres/db.js';
import { chunksOf } from '../../runtime/in-slices.js';
import { findRuleWarnings, type RuleSurroundings } from '../matching/find-rule-warnings.js';
import { differencesOf } from '../policy/difference.js';
import { DRAFT_ID, idOnceStored } from '../policy/draft-id.js';
import { toRuleAttributes } from '../policy/parse-policy.js';
import { type RuleInput, ruleInput } from '../policy/rule-input.js';
import { patternsMeeting, type RuleSize, sizeOf, tooManyLimits } from '../policy/too-many-limits.js';
import type { Actor, ChangeLog, ChangeRecord, Recorder } from './create-change-log.js';
import { createOnce } from './create-once.js';
import { editRow } from './edit-row.js';
import {
  type CreateOptions,
  done,
  type Outcome,
  refused,
  splitOptions,
  toUserErrors,
  type UpdateOptions,
  type UserError,
} from './outcome.js';
import {
  insertRules,
  isRuleId,
  type RuleAttributes,
  type RuleFilter,
  type RuleRecord,
  readNamesInUse,
  readRule,
  readRuleByName,
  readRuleNames,
  readRulePage,
  readRules,
  readRulesById,
  readRulesByName,
  readRulesCalledAlmost,
  readRulesOfFields,
  readRulesOfLevel,
  saveRules,
} from './rule-record.js';
import { noTierNamed, readTierNames, readTiers } from './tier-record.js';
import { warningsOfCounters } from './warnings-of-counters.js';

export type RuleCreate = Omit<RuleInput, 'id'> & CreateOptions;

type RuleGiven = { [Name in keyof Omit<RuleInput, 'id' | 'description' | 'response'>]?: RuleInput[Name] | undefined };

/** What is left out stays as it is; `match`, `limits`, `action` and `response` are replaced whole. */
export interface RuleUpdate extends RuleGiven, UpdateOptions {
  id: string;
  /** Null takes it away. */
  description?: string | null | undefined;
  response?: RuleInput['response'] | null | undefined;
}

export interface RuleReference extends UpdateOptions {
  id: string;
}

/** What is not part of a rule's wording. */
const BOOKKEEPING = ['id', 'version', 'createdAt', 'updatedAt'];

/** What reads rules. */
function ruleReads(db: Connections) {
  return {
    /** The rules in use, oldest first. */
    listRules: (): Promise<RuleRecord[]> => readRules(db),

    /** A page of rules, oldest first. */
    pageRules: (filter: RuleFilter, page: { after: number; limit: number }) => readRulePage(db, filter, page),

    /** The rules with these ids, in use or retired; in no order. */
    rulesById: (ids: readonly string[]) => readRulesById(db, ids.filter(isRuleId)),

    getRule: (id: string): Promise<RuleRecord | null> => readRule(db, id),

    /** Those in use of these names; in no order. */
    rulesByName: (names: readonly string[]) => readRulesByName(db, names),

    /** The rules in use of these patterns, of each the oldest; by age. */
    rulesOfFields: (patterns: readonly string[], mostPerPattern: number) =>
      readRulesOfFields(db, patterns, mostPerPattern),

    /** The names of all rules in use. */
    ruleNames: (): Promise<string[]> => readRuleNames(db),

    /** The rule in use of that name. */
    getRuleByName: (name: string): Promise<RuleRecord | null> => readRuleByName(db, name),
  };
}

export function createRuleStore(db: Connections, changes: ChangeLog) {
  /** Changes one rule: `edit` says how it is to be, from how it is. */
  async function change(
    { id, ...input }: RuleReference,
    {
      actor,
      action,
      surroundings,
    }: { actor: Actor; action: ChangeRecord['action']; surroundings?: RuleSurroundings | undefined },
    edit: (before: RuleRecord, tx: Tx) => Promise<Edited | UserError[]>,
  ): Promise<Outcome<RuleRecord>> {
    const { options, error } = splitOptions(input);
    if (error) return refused(toUserErrors(error), await readRule(db, id));
    const { comment, expectedVersion, dryRun } = options;
    const target = { kind: 'rule', actor, comment, locks: 'BOTH', expectedVersion, missing: notFound } as const;
    return editRow(changes, { ...target, read: (tx) => readRule(tx, id) }, async (before, tx, record) => {
      const edited = await edit(before, tx);
      if (Array.isArray(edited)) return refused(edited, before);
      const { attributes, retired } = edited;
      const retiredAt = retired ? (before.retiredAt ?? new Date()) : null;
      const next: RuleRecord = { ...bookkeeping(before), ...attributes, retiredAt };
      const effects = {
        differences: differencesOf(before, next, BOOKKEEPING),
        warnings: retired
          ? []
          : [...(await warningsOfCounters(tx, before, next)), ...(await warningsOf(tx, next, surroundings))],
      };
      if (effects.differences.length === 0) return done(before);
      if (dryRun) return done({ ...next, version: before.version + 1 }, effects);
      const [after] = await writeRules(tx, record, [{ before, attributes, retired, action }]);
      return done(after!, effects);
    });
  }

  return {
    ...ruleReads(db),

    async createRule(input: RuleCreate, actor: Actor, surroundings?: RuleSurroundings): Promise<Outcome<RuleRecord>> {
      const { options, attributes, error } = splitOptions(input);
      const parsed = parseRule(attributes);
      if (error || !parsed.ok) return refused([...(error ? toUserErrors(error) : []), ...(parsed.errors ?? [])]);
      const { dryRun, idempotencyKey } = options;
      return changes.write({ actor, comment: options.comment, locks: 'BOTH' }, (tx, record) =>
        createOnce<RuleRecord>(
          tx,
          { actor, idempotencyKey, dryRun, operation: 'rule', attributes },
          (id) => readRule(tx, id),
          ({ id }) => id,
          async () => {
            const taken = await readRuleByName(tx, parsed.rule.name);
            if (taken) return refused([alreadyExists(parsed.rule.name)], taken);
            const errors = [...(await checkTiers(tx, parsed.rule)), ...(await checkChargeSize(tx, parsed.rule))];
            if (errors.length > 0) return refused(errors);
            const rule = dryRun ? newRule(parsed.rule) : await addRule(tx, record, parsed.rule);
            const warnings = await warningsOf(tx, dryRun ? { ...rule, id: DRAFT_ID } : rule, surroundings);
            return done(rule, { differences: differencesOf(null, parsed.rule), warnings });
          },
        ),
      );
    },

    async updateRule(input: RuleUpdate, actor: Actor, surroundings?: RuleSurroundings): Promise<Outcome<RuleRecord>> {
      const { id, comment, dryRun, expectedVersion, ...given } = input;
      return change(
        { id, comment, dryRun, expectedVersion },
        { actor, action: 'UPDATE', surroundings },
        async (before, tx) => {
          if (before.retiredAt) return [retiredAlready(before)];
          const parsed = parseRule(merge(attributesOf(before), given));
          if (!parsed.ok) return parsed.errors;
          const taken = parsed.rule.name === before.name ? null : await readRuleByName(tx, parsed.rule.name);
          if (taken) return [alreadyExists(parsed.rule.name)];
          const errors = [
            ...(await checkTiers(tx, parsed.rule)),
            ...(await checkChargeSize(tx, parsed.rule, before.id)),
          ];
          return errors.length > 0 ? errors : { attributes: parsed.rule, retired: false };
        },
      );
    },

    /** Takes a rule out of use; its history stays, and it can be restored. */
    retireRule: (input: RuleReference, actor: Actor): Promise<Outcome<RuleRecord>> =>
      change(input, { actor, action: 'RETIRE' }, async (before) => ({
        attributes: attributesOf(before),
        retired: true,
      })),

    /** Puts a rule back to what it was at `toVersion`, or a retired one back into use as it was. */
    async restoreRule(
      { toVersion, ...input }: RuleReference & { toVersion?: number | undefined },
      actor: Actor,
      surroundings?: RuleSurroundings,
    ): Promise<Outcome<RuleRecord>> {
      return change(input, { actor, action: 'RESTORE', surroundings }, async (before, tx) => {
        const wanted = toVersion === undefined ? attributesOf(before) : await readVersion(tx, before.id, toVersion);
        if (!wanted) return [{ code: 'NOT_FOUND', field: ['toVersion'], message: `there is no version ${toVersion}` }];
        const taken = await readRuleByName(tx, wanted.name);
        if (taken && taken.id !== before.id) return [alreadyExists(wanted.name)];
        // What was good then may be refused now: a tier it names may be gone.
        const parsed = parseRule(wanted);
        if (!parsed.ok) return parsed.errors;
        const errors = [...(await checkTiers(tx, parsed.rule)), ...(await checkChargeSize(tx, parsed.rule, before.id))];
        return errors.length > 0 ? errors : { attributes: parsed.rule, retired: false };
      });
    },
  };
}

/** What may not have been meant, where it is known what stands beside the stored rules. */
async function warningsOf(on: Queryable, rule: Rule, surroundings: RuleSurroundings | undefined): Promise<string[]> {
  if (!surroundings) return [];
  const { fields } = surroundings;
  const level = await readRulesOfLevel(on, rule);
  const called = await readRulesCalledAlmost(on, rule.name);
  const stored = [...level, ...called.filter(({ id }) => !level.some((one) => one.id === id))];
  const replaced = await readNamesInUse(
    on,
    surroundings.rulesInCode.map(({ name }) => name),
  );
  const inCode = surroundings.rulesInCode.filter(({ name }) => name !== rule.name && !replaced.has(name));
  const others = [...stored.filter(({ id }) => id !== rule.id), ...inCode];
  const draft = { ...rule, id: idOnceStored(rule, others) };
  const tiers = await readTiers(on);
  return findRuleWarnings({ rules: [draft], among: [...others, draft], tiers, fields }).map(({ message }) => message);
}

interface Edited {
  attributes: RuleAttributes;
  retired: boolean;
}

/** One rule as it is to be written. */
export interface RuleWrite {
  /** The rule as it is stored; null: it is added. */
  before: RuleRecord | null;
  attributes: RuleAttributes;
  retired: boolean;
  action: ChangeRecord['action'];
}

/** Rules in one statement. More would hold the event loop for too long while their JSON is written and read. */
const RULES_AT_ONCE = 500;

/** Writes rules with a few statements for hundreds of them, and records each; resolves to the rules as they are stored. */
export async function writeRules(tx: Tx, record: Recorder, writes: readonly RuleWrite[]): Promise<RuleRecord[]> {
  const written: RuleRecord[] = [];
  for (const some of chunksOf(writes, RULES_AT_ONCE)) {
    const added = await insertRules(
      tx,
      some.filter(({ before }) => before === null).map(({ attributes }) => attributes),
    );
    const ids = some.map(({ before }) => before?.id ?? added.shift()!);
    await saveRules(
      tx,
      some.flatMap(({ before, attributes, retired }) => (before ? [{ id: before.id, rule: attributes, retired }] : [])),
    );
    const stored = new Map((await readRulesById(tx, ids)).map((rule) => [rule.id, rule]));
    const after = ids.map((id) => stored.get(id)!);
    await record(
      some.map(({ before, action }, index) => ({
        entity: 'RULE',
        key: ids[index]!,
        action,
        before,
        after: after[index]!,
      })),
    );
    written.push(...after);
  }
  return written;
}

async function addRule(tx: Tx, record: Recorder, attributes: RuleAttributes): Promise<RuleRecord> {
  const [rule] = await writeRules(tx, record, [{ before: null, attributes, retired: false, action: 'CREATE' }]);
  return rule!;
}

/** What the rule says, without where and since when it is stored. */
export function attributesOf(rule: RuleRecord): RuleAttributes {
  const {
    id: _id,
    version: _version,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    retiredAt: _retiredAt,
    ...rest
  } = rule;
  return rest;
}

function bookkeeping({ id, version, createdAt }: RuleRecord) {
  return { id, version, createdAt, updatedAt: new Date() };
}

/** What is given in place of what there was; null takes away what need not be there. */
function merge(before: RuleAttributes, given: object): object {
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(given)) {
    if (value === null && (name === 'description' || name === 'response')) delete merged[name];
    else if (value !== undefined) merged[name] = value;
  }
  return merged;
}

type ParsedRule = { ok: true; rule: RuleAttributes; errors?: never } | { ok: false; errors: UserError[] };

function parseRule(input: unknown): ParsedRule {
  const result = ruleInput.safeParse(input);
  return result.success
    ? { ok: true, rule: toRuleAttributes(result.data) }
    : { ok: false, errors: toUserErrors(result.error) };
}

async function checkTiers(on: Queryable, { match }: Pick<Rule, 'match'>): Promise<UserError[]> {
  if (!match.tiers) return [];
  const known = await readTierNames(on);
  return match.tiers
    .filter((tier) => !known.has(tier))
    .map((tier) => ({ code: 'INVALID', field: ['match', 'tiers'], message: noTierNamed(tier, known) }));
}

async function readVersion(on: Queryable, id: string, version: number): Promise<RuleAttributes | null> {
  const [row] = await on.query<{ after: RuleRecord }>(
    `select after from changes where entity = 'RULE' and entity_key = $1 and (after ->> 'version')::integer = $2`,
    [id, version],
  );
  return row ? attributesOf(row.after) : null;
}

function newRule(rule: RuleAttributes): RuleRecord {
  const now = new Date();
  return { id: '0', ...rule, version: 1, createdAt: now, updatedAt: now, retiredAt: null };
}

function notFound(): UserError {
  return { code: 'NOT_FOUND', field: ['id'], message: 'there is no rule with this id' };
}

function alreadyExists(name: string): UserError {
  return { code: 'ALREADY_EXISTS', field: ['name'], message: `there is a rule named ${name}` };
}

function retiredAlready({ name }: RuleRecord): UserError {
  return { code: 'INVALID', field: ['id'], message: `${name} is retired: restore it first` };
}

/** Why a rule cannot stand beside the others in use: with it, some field would be under more limits than can be charged. */
async function checkChargeSize(on: Queryable, rule: RuleAttributes, exceptId?: string): Promise<UserError[]> {
  if (rule.mode !== 'ENFORCE') return [];
  const others = await on.query<RuleSize>(
    `select r.mode, r.scope, r.field, r.measure,
       array(select t.tier from rule_tiers t where t.rule_id = r.id) as tiers,
       (select count(*)::integer from rule_limits l where l.rule_id = r.id) as "limitCount"
     from rules r
     where r.retired_at is null and r.mode = 'ENFORCE' and r.id is distinct from $1::bigint
       and ($2::text[] is null or r.field = any($2))`,
    [exceptId ?? null, patternsMeeting(rule.field) ?? null],
  );
  const tiers = [...(await readTierNames(on))].map((name) => ({ name }));
  const problem = tooManyLimits(tiers, [...others, sizeOf(rule)]);
  return problem === undefined ? [] : [{ code: 'INVALID', field: ['limits'], message: problem }];
}
