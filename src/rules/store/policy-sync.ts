import { z } from 'zod';
import type { Rule } from '../../model/rule.js';
import type { Connections, Queryable, Tx } from '../../postgres/db.js';
import { chunksOf } from '../../runtime/in-slices.js';
import type { RuleSurroundings } from '../matching/find-rule-warnings.js';
import { checkRules } from '../policy/check-rules.js';
import { parsePolicyDocument } from '../policy/policy-document.js';
import { wholeNumber } from '../policy/validators.js';
import type { Actor, ChangeLog, ChangeRecord, Recorder } from './create-change-log.js';
import { createOnce } from './create-once.js';
import { createOptions, done, rejected, toUserErrors, type UserError, updateOptions } from './outcome.js';
import { planSteps, problemsOf } from './plan-steps.js';
import { type PlannedStep, PolicyInUseError } from './planned-step.js';
import { madeBefore, type PolicyPlan, toPlan } from './policy-plan.js';
import { readRules } from './rule-record.js';
import { readRetiredTierNames, readTiers } from './tier-record.js';
import { warnOfSteps } from './warn-of-steps.js';
import { type RuleWrite, writeRules } from './write-rules.js';

export interface PolicySync {
  /** Policy as YAML or JSON. */
  document: string;
  /** Whether to retire tiers and rules that the document does not name. @default false */
  prune?: boolean | undefined;
  /** Whether to apply the plan. If false, the plan is only returned. @default false */
  apply?: boolean | undefined;
  /** Reason for the change, for the record of changes. */
  comment?: string | null | undefined;
  /**
   * Version that the stored policy must have, else the request fails with `STALE_VERSION`. If it is
   * the version of an earlier plan, the request applies exactly that plan or none.
   */
  expectedVersion?: number | undefined;
  /**
   * Idempotency key. A repeated request with this key changes nothing. The key is kept for a day.
   */
  idempotencyKey?: string | undefined;
  /**
   * API and rules in code, for warnings about rules without effect.
   * @default none: of the warnings about rules, only those about lost counters are returned
   */
  surroundings?: RuleSurroundings | undefined;
}

/**
 * `version` is the version of the stored policy at the end of the request: the number of the latest
 * change of a tier or rule, 0 before the first change. Null if it was not read.
 */
type PolicySyncResult =
  | { plan: PolicyPlan; applied: boolean; version: number; userErrors: [] }
  | { plan?: never; applied: false; version: number | null; userErrors: UserError[] };

/** A plan together with the version of the stored policy that it was made for. */
interface Plan {
  steps: PlannedStep[] | UserError[];
  /** Version of the stored policy when the steps were planned. */
  version: number;
}

/**
 * Maximum number of plans. If another request changes the policy before a plan is applied, the
 * policy is planned again.
 */
const MAX_PLANS = 5;

export function createPolicySync(db: Connections, changes: ChangeLog) {
  return {
    /**
     * Brings the tiers and rules in line with a document, in one transaction. Tiers and rules that
     * the document does not name do not change, unless `prune` is set. A document that is already
     * in force changes nothing.
     */
    async syncPolicy(
      { document: text, prune = false, apply = false, surroundings, ...options }: PolicySync,
      actor: Actor,
    ): Promise<PolicySyncResult> {
      const { comment, expectedVersion, idempotencyKey } = options;
      const read = await parsePolicyDocument(text);
      const problems = read.problems ?? [];
      const parsedOptions = optionsSchema.safeParse(options);
      const wrongOptions = parsedOptions.error ? toUserErrors(parsedOptions.error) : [];
      if (read.problems || wrongOptions.length > 0) {
        return failed([...problems.map((message) => failure('document', message)), ...wrongOptions]);
      }
      const { document } = read;
      const checked = new WeakMap<object, Rule>();
      // The rules are checked before any lock is acquired. Checking 10,000 rules takes up to a
      // second, and logins and other changes must not wait for it.
      await checkRules(document.rules, checked);
      const plan = (): Promise<Plan> =>
        db.tx(async (tx) => {
          await tx.query('set transaction isolation level repeatable read, read only');
          const version = await readVersion(tx);
          if (expectedVersion !== undefined && expectedVersion !== version) {
            return { steps: [stale(expectedVersion, version)], version };
          }
          const stored = { tiers: await readTiers(tx), rules: await readRules(tx) };
          const wrong = await problemsOf(document, stored, { prune, checked });
          for (const name of await readRetiredTierNames(tx)) {
            if (document.tiers.some((tier) => tier.name === name))
              wrong.push(`tier "${name}" was retired: choose another name, because names are never used again`);
          }
          if (wrong.length > 0) return { steps: wrong.map((message) => failure('document', message)), version };
          const steps = await planSteps(document, stored, { prune, checked });
          await warnOfSteps(tx, steps, { document, stored, prune, surroundings, checked });
          return { steps, version };
        });
      const total = document.tiers.length + document.rules.length;
      if (!apply) {
        const { steps, version } = await plan();
        if (isRejection(steps)) return failed(steps, version);
        return { plan: toPlan(steps, total), applied: false, version, userErrors: [] };
      }
      const attributes = { document: text, prune };
      const write = ({ steps, version: plannedAt }: Plan) => {
        // The text of the plan is formatted before the locks are acquired, because 10,000 lines
        // take a while.
        const shown = toPlan(isRejection(steps) ? [] : steps, total);
        return changes.write({ actor, comment, locks: 'POLICY' }, async (tx, record): Promise<PolicySyncResult> => {
          const outcome = await createOnce<AppliedPolicy>(
            tx,
            { actor, idempotencyKey, dryRun: false, operation: 'policySync', attributes },
            async (version) => ({ plan: madeBefore(total), version: Number(version) }),
            ({ version }) => String(version),
            async () => {
              if ((await readVersion(tx)) !== plannedAt) throw new PlanOutdatedError();
              if (isRejection(steps)) return rejected(steps);
              await takeSteps(tx, record, steps);
              return done({ plan: shown, version: await readVersion(tx) });
            },
          );
          if (!outcome.ok) return failed(outcome.userErrors, await readVersion(tx));
          return { ...outcome.value, applied: true, userErrors: [] };
        });
      };
      const written = whileOutdated(async () => write(await plan()));
      return written.catch((error: unknown) => {
        if (error instanceof PolicyInUseError) return failed(error.userErrors);
        if (error instanceof PlanOutdatedError) return failed([OTHERS_CHANGE_IT]);
        throw error;
      });
    },
  };
}

/**
 * Thrown when another change of the policy was committed after planning and before the lock was
 * acquired.
 */
class PlanOutdatedError extends Error {}

const OTHERS_CHANGE_IT: UserError = {
  code: 'STALE_VERSION',
  field: ['document'],
  message: `other requests changed a tier or a rule during each of ${MAX_PLANS} attempts: try again`,
};

async function whileOutdated<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = MAX_PLANS; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PlanOutdatedError) || left <= 1) throw error;
    }
  }
}

/** Number of changes that are recorded in one statement. */
const CHANGES_AT_ONCE = 500;

/**
 * Applies the steps in order. Consecutive rules are written together. The changes are recorded at
 * the end, because the first record acquires the lock that all other changes need.
 */
async function takeSteps(tx: Tx, record: Recorder, steps: readonly PlannedStep[]): Promise<void> {
  const changed: ChangeRecord[] = [];
  await writeSteps(tx, async (some) => void changed.push(...[some].flat()), steps);
  for (const some of chunksOf(changed, CHANGES_AT_ONCE)) await record(some);
}

async function writeSteps(tx: Tx, record: Recorder, steps: readonly PlannedStep[]): Promise<void> {
  let writes: RuleWrite[] = [];
  for (const step of steps) {
    if (step.write) {
      writes.push(step.write);
      continue;
    }
    await writeRules(tx, record, writes);
    writes = [];
    await step.take(tx, record);
  }
  await writeRules(tx, record, writes);
}

interface AppliedPolicy {
  plan: PolicyPlan;
  version: number;
}

const optionsSchema = z.object({
  comment: updateOptions.comment,
  // The version is 0 before the first change.
  expectedVersion: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  idempotencyKey: createOptions.idempotencyKey,
});

/**
 * Reads the version of the entire policy: the number of the latest change of any tier or rule. Each
 * tier and each rule also has its own version.
 */
async function readVersion(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ version: number }>(
    `select coalesce(max(number), 0) as version from changes where entity in ('TIER', 'RULE')`,
  );
  return row!.version;
}

function stale(expected: number, version: number): UserError {
  const message = `a tier or a rule changed after the plan: expected version ${expected}, the policy is at ${version}`;
  return { code: 'STALE_VERSION', field: ['expectedVersion'], message };
}

function isRejection(result: PlannedStep[] | UserError[]): result is UserError[] {
  return result.length > 0 && 'code' in result[0]!;
}

function failure(field: string, message: string): UserError {
  return { code: 'INVALID', field: [field], message };
}

function failed(userErrors: UserError[], version: number | null = null): PolicySyncResult {
  return { applied: false, version, userErrors };
}
