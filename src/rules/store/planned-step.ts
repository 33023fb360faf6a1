import type { Tx } from '../../postgres/db.js';
import { type Difference, differencesOf } from '../policy/difference.js';
import type { Recorder } from './create-change-log.js';
import { attributesOf } from './create-rule-store.js';
import { addTier, changeTier, takeDefaultAway, usesOf } from './create-tier-store.js';
import type { UserError } from './outcome.js';
import type { RuleAttributes, RuleRecord } from './rule-record.js';
import { retireTier, type TierRecord } from './tier-record.js';
import type { RuleWrite } from './write-rules.js';

/** Planned change of one tier or rule. */
export interface PolicyStep {
  action: 'CREATE' | 'UPDATE' | 'RETIRE';
  kind: 'tier' | 'rule';
  name: string;
  differences: Difference[];
  warnings: string[];
}

/**
 * A step together with its execution. The step of a rule has a `write` instead of a function,
 * because one statement writes several rules.
 */
export type PlannedStep = PolicyStep &
  (
    | { write: RuleWrite; take?: never }
    | {
        write?: never;
        /** The tier that the step retires. It must not be in use. */
        retires?: TierRecord;
        take(tx: Tx, record: Recorder): Promise<void>;
      }
  );

const UNREPORTED = ['id', 'version', 'createdAt', 'updatedAt', 'retiredAt'];

/**
 * Returns the step that creates or updates a tier. Returns no step if the tier would not change.
 * @param before the stored tier; undefined if the step creates it
 */
export function tierStep(before: TierRecord | undefined, tier: TierRecord, warnings: string[]): PlannedStep[] {
  const differences = differencesOf(before ?? null, tier, UNREPORTED);
  if (differences.length === 0) return [];
  return [
    {
      action: before ? 'UPDATE' : 'CREATE',
      kind: 'tier',
      name: tier.name,
      differences,
      warnings,
      async take(tx, record) {
        if (!before) return void (await addTier(tx, record, tier));
        if (tier.isDefault && !before.isDefault) await takeDefaultAway(tx, record);
        await changeTier(tx, record, before, { ...before, ...tier, createdAt: before.createdAt });
      },
    },
  ];
}

/**
 * Returns the step that creates or updates a rule. Returns no step if the rule would not change.
 * @param before the stored rule; undefined if the step creates it
 */
export function ruleStep(before: RuleRecord | undefined, rule: RuleAttributes): PlannedStep[] {
  const differences = differencesOf(before ? attributesOf(before) : null, rule, UNREPORTED);
  if (differences.length === 0) return [];
  return [
    {
      action: before ? 'UPDATE' : 'CREATE',
      kind: 'rule',
      name: rule.name,
      differences,
      warnings: [],
      write: { before: before ?? null, attributes: rule, retired: false, action: before ? 'UPDATE' : 'CREATE' },
    },
  ];
}

export function ruleRetirement(rule: RuleRecord): PlannedStep {
  return {
    action: 'RETIRE',
    kind: 'rule',
    name: rule.name,
    differences: [],
    warnings: [],
    write: { before: rule, attributes: attributesOf(rule), retired: true, action: 'RETIRE' },
  };
}

export function tierRetirement(tier: TierRecord): PlannedStep {
  return {
    action: 'RETIRE',
    kind: 'tier',
    name: tier.name,
    differences: [],
    warnings: [],
    retires: tier,
    async take(tx, record) {
      // This lock prevents assignments of the tier from here on.
      await tx.query('select lock_changes()');
      const uses = await usesOf(tx, { ...tier, isDefault: false });
      if (uses.length > 0) throw new PolicyInUseError(uses);
      const after = await retireTier(tx, tier.name);
      await record({ entity: 'TIER', key: tier.name, action: 'RETIRE', before: tier, after });
    },
  };
}

/** Thrown when a tier to retire is still in use. It rolls the entire change back. */
export class PolicyInUseError extends Error {
  constructor(readonly userErrors: UserError[]) {
    super(userErrors.map(({ message }) => message).join('; '));
  }
}
