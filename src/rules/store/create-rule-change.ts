import type { Connections, Tx } from '../../postgres/db.js';
import type { RuleSurroundings } from '../matching/find-rule-warnings.js';
import { differencesOf } from '../policy/difference.js';
import type { Actor, ChangeLog, ChangeRecord } from './create-change-log.js';
import { editRow } from './edit-row.js';
import { findUnknownFeatures } from './find-unknown-features.js';
import {
  done,
  type Outcome,
  rejected,
  splitOptions,
  toUserErrors,
  type UpdateOptions,
  type UserError,
} from './outcome.js';
import { type RuleAttributes, type RuleRecord, readRule } from './rule-record.js';
import { warningsOfCounters } from './warnings-of-counters.js';
import { instanceWarningsOfRule } from './warnings-of-instances.js';
import { warningsOfRule } from './warnings-of-rule.js';
import { writeRules } from './write-rules.js';

export interface RuleReference extends UpdateOptions {
  id: string;
}

interface RuleChange {
  actor: Actor;
  action: ChangeRecord['action'];
  surroundings?: RuleSurroundings | undefined;
}

interface Edited {
  attributes: RuleAttributes;
  retired: boolean;
}

/**
 * Changes one rule. `edit` receives the stored rule and returns its new state, or the errors that
 * prevent the edit.
 */
type ChangeRule = (
  input: RuleReference,
  change: RuleChange,
  edit: (before: RuleRecord, tx: Tx) => Promise<Edited | UserError[]>,
) => Promise<Outcome<RuleRecord>>;

/** Fields that do not count as a difference between two versions of a rule. */
const BOOKKEEPING = ['id', 'version', 'createdAt', 'updatedAt'];

export function createRuleChange(db: Connections, changes: ChangeLog): ChangeRule {
  return async ({ id, ...input }, { actor, action, surroundings }, edit) => {
    const { options, error } = splitOptions(input);
    if (error) return rejected(toUserErrors(error), await readRule(db, id));
    const { comment, expectedVersion, dryRun } = options;
    const target = { kind: 'rule', actor, comment, locks: 'BOTH', expectedVersion, missing: notFound } as const;
    return editRow(changes, { ...target, read: (tx) => readRule(tx, id) }, async (before, tx, record) => {
      const unknown = await findUnknownFeatures(tx, 'rule', [id]);
      if (unknown) return rejected([unknown], before);
      const edited = await edit(before, tx);
      if (Array.isArray(edited)) return rejected(edited, before);
      const { attributes, retired } = edited;
      const retiredAt = retired ? (before.retiredAt ?? new Date()) : null;
      const next: RuleRecord = { ...bookkeeping(before), ...attributes, retiredAt };
      const effects = {
        differences: differencesOf(before, next, BOOKKEEPING),
        warnings: retired
          ? []
          : [
              ...(await warningsOfCounters(tx, before, next)),
              ...(await warningsOfRule(tx, next, { surroundings, isPlanned: dryRun === true })),
              ...(await instanceWarningsOfRule(tx, next)),
            ],
      };
      if (effects.differences.length === 0) return done(before);
      if (dryRun) return done({ ...next, version: before.version + 1 }, effects);
      const [after] = await writeRules(tx, record, [{ before, attributes, retired, action }]);
      return done(after!, effects);
    });
  };
}

function bookkeeping({ id, version, createdAt }: RuleRecord) {
  return { id, version, createdAt, updatedAt: new Date() };
}

function notFound(): UserError {
  return { code: 'NOT_FOUND', field: ['id'], message: 'there is no rule with this id' };
}
