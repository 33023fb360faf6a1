import type { Rule } from '../../model/rule.js';
import type { Connections, Queryable, Tx } from '../../postgres/db.js';
import type { RuleSurroundings } from '../matching/find-rule-warnings.js';
import { differencesOf } from '../policy/difference.js';
import { DRAFT_ID } from '../policy/draft-id.js';
import { fieldTextOf } from '../policy/field-pattern.js';
import { toRuleAttributes } from '../policy/parse-policy.js';
import { type RuleInput, ruleInput } from '../policy/rule-input.js';
import { patternsMeeting, type RuleSize, sizeOf, tooManyLimits } from '../policy/too-many-limits.js';
import type { Actor, ChangeLog, Recorder } from './create-change-log.js';
import { createOnce } from './create-once.js';
import { createRuleChange, type RuleReference } from './create-rule-change.js';
import { isRuleId } from './is-rule-id.js';
import {
  type CreateOptions,
  done,
  type Outcome,
  rejected,
  splitOptions,
  toUserErrors,
  type UpdateOptions,
  type UserError,
} from './outcome.js';
import {
  type RuleAttributes,
  type RuleFilter,
  type RuleRecord,
  readRule,
  readRuleByName,
  readRuleNames,
  readRulePage,
  readRules,
  readRulesById,
  readRulesByName,
  readRulesOfFields,
} from './rule-record.js';
import { noTierNamed, readTierNames } from './tier-record.js';
import { instanceWarningsOfRule } from './warnings-of-instances.js';
import { warningsOfRule, warningsOfRules } from './warnings-of-rule.js';
import { writeRules } from './write-rules.js';

export type RuleCreate = Omit<RuleInput, 'id'> & CreateOptions;

/** Members that null removes. */
const REMOVABLE = ['description', 'response', 'schedule', 'activeFrom', 'activeUntil'] as const;
type Removable = (typeof REMOVABLE)[number];

type RuleGiven = { [Name in keyof Omit<RuleInput, 'id' | Removable>]?: RuleInput[Name] | undefined } & {
  [Name in Removable]?: RuleInput[Name] | null | undefined;
};

/**
 * Changes to a rule. Absent fields keep their values. `match`, `limits`, `action`, `response` and
 * `schedule` are replaced entirely. Null removes an optional member.
 */
export interface RuleUpdate extends RuleGiven, UpdateOptions {
  id: string;
}

/** Returns the functions that read rules. */
function ruleReads(db: Connections) {
  return {
    /** Returns the rules in use, oldest first. */
    listRules: (): Promise<RuleRecord[]> => readRules(db),

    /** Returns a page of rules, oldest first. */
    pageRules: (filter: RuleFilter, page: { after: number; limit: number }) => readRulePage(db, filter, page),

    /** Returns the rules with these ids, in use or retired, in no particular order. */
    rulesById: (ids: readonly string[]) => readRulesById(db, ids.filter(isRuleId)),

    getRule: (id: string): Promise<RuleRecord | null> => readRule(db, id),

    /** Returns the rules in use with these names, in no particular order. */
    rulesByName: (names: readonly string[]) => readRulesByName(db, names),

    /**
     * Returns the rules in use with these field patterns, oldest first, at most `mostPerPattern` of
     * each.
     */
    rulesOfFields: (patterns: readonly string[], mostPerPattern: number) =>
      readRulesOfFields(db, patterns, mostPerPattern),

    /** Returns the warnings about each of several rules in use, by the id of the rule. */
    warningsOfRules: (rules: readonly Rule[], surroundings: RuleSurroundings) =>
      warningsOfRules(db, rules, surroundings),

    /** Returns the names of all rules in use. */
    ruleNames: (): Promise<string[]> => readRuleNames(db),

    /** Returns the rule in use with this name. */
    getRuleByName: (name: string): Promise<RuleRecord | null> => readRuleByName(db, name),
  };
}

export function createRuleStore(db: Connections, changes: ChangeLog) {
  const change = createRuleChange(db, changes);

  return {
    ...ruleReads(db),

    async createRule(input: RuleCreate, actor: Actor, surroundings?: RuleSurroundings): Promise<Outcome<RuleRecord>> {
      const { options, attributes, error } = splitOptions(input);
      const parsed = parseRule(attributes);
      if (error || !parsed.ok) return rejected([...(error ? toUserErrors(error) : []), ...(parsed.errors ?? [])]);
      const { dryRun, idempotencyKey } = options;
      return changes.write({ actor, comment: options.comment, locks: 'BOTH' }, (tx, record) =>
        createOnce<RuleRecord>(
          tx,
          { actor, idempotencyKey, dryRun, operation: 'rule', attributes },
          (id) => readRule(tx, id),
          ({ id }) => id,
          async () => {
            const taken = await readRuleByName(tx, parsed.rule.name);
            if (taken) return rejected([alreadyExists(parsed.rule.name)], taken);
            const errors = [...(await checkTiers(tx, parsed.rule)), ...(await checkChargeSize(tx, parsed.rule))];
            if (errors.length > 0) return rejected(errors);
            const rule = dryRun ? newRule(parsed.rule) : await addRule(tx, record, parsed.rule);
            const warnings = await warningsOfRule(tx, dryRun ? { ...rule, id: DRAFT_ID } : rule, {
              surroundings,
              isPlanned: dryRun === true,
            });
            warnings.push(...(await instanceWarningsOfRule(tx, rule)));
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

    /** Retires a rule. Its history stays, and it can be restored. */
    retireRule: (input: RuleReference, actor: Actor): Promise<Outcome<RuleRecord>> =>
      change(input, { actor, action: 'RETIRE' }, async (before) => ({
        attributes: attributesOf(before),
        retired: true,
      })),

    /**
     * Restores a rule to its state at `toVersion`. Without `toVersion`, a retired rule returns to
     * use unchanged.
     */
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
        // The old version may be invalid now: a tier that it names may have been retired.
        const parsed = parseRule(wanted);
        if (!parsed.ok) return parsed.errors;
        const errors = [...(await checkTiers(tx, parsed.rule)), ...(await checkChargeSize(tx, parsed.rule, before.id))];
        return errors.length > 0 ? errors : { attributes: parsed.rule, retired: false };
      });
    },
  };
}

async function addRule(tx: Tx, record: Recorder, attributes: RuleAttributes): Promise<RuleRecord> {
  const [rule] = await writeRules(tx, record, [{ before: null, attributes, retired: false, action: 'CREATE' }]);
  return rule!;
}

/** Returns the content of a rule, without its id, version and times. */
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

/**
 * Merges the given fields into the existing ones. Null removes an optional field; undefined leaves
 * it unchanged.
 */
function merge(before: RuleAttributes, given: object): object {
  const merged: Record<string, unknown> = { ...before };
  // `field` and `fields` replace each other.
  if ('field' in given || 'fields' in given) {
    delete merged['field'];
    delete merged['fields'];
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === null && (REMOVABLE as readonly string[]).includes(name)) delete merged[name];
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

function alreadyExists(name: string): UserError {
  return { code: 'ALREADY_EXISTS', field: ['name'], message: `there is a rule named ${name}` };
}

function retiredAlready({ name }: RuleRecord): UserError {
  return { code: 'INVALID', field: ['id'], message: `${name} is retired: restore it first` };
}

/**
 * Returns an error if this rule and the other rules in use would give some field more limits than
 * one charge may have.
 */
async function checkChargeSize(on: Queryable, rule: RuleAttributes, exceptId?: string): Promise<UserError[]> {
  if (rule.mode !== 'ENFORCE') return [];
  const others = await on.query<RuleSize>(
    `select r.mode, r.scope, r.field, r.measure,
       array(select t.tier from rule_tiers t where t.rule_id = r.id) as tiers,
       (select count(*)::integer from rule_limits l where l.rule_id = r.id) as "limitCount"
     from rules r
     where r.retired_at is null and r.mode = 'ENFORCE' and r.id is distinct from $1::bigint
       and ($2::text[] is null or string_to_array(r.field, ', ') && $2)`,
    [exceptId ?? null, patternsMeeting(fieldTextOf(rule)) ?? null],
  );
  const tiers = [...(await readTierNames(on))].map((name) => ({ name }));
  const problem = tooManyLimits(tiers, [...others, sizeOf(rule)]);
  return problem === undefined ? [] : [{ code: 'INVALID', field: ['limits'], message: problem }];
}
