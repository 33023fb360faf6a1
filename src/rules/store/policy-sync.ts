import { z } from 'zod';
import type { Rule } from '../../model/rule.js';
import type { Connections, Queryable, Tx } from '../../postgres/db.js';
import { chunksOf, inSlices } from '../../runtime/in-slices.js';
import { findRuleWarnings, type RuleSurroundings } from '../matching/find-rule-warnings.js';
import { createAlikeNames } from '../policy/alike-names.js';
import { checkRules } from '../policy/check-rules.js';
import { type Difference, differencesOf } from '../policy/difference.js';
import { createDraftIds, DRAFT_ID } from '../policy/draft-id.js';
import { parsePolicy } from '../policy/parse-policy.js';
import { type PolicyDocument, parsePolicyDocument } from '../policy/policy-document.js';
import { tierInput } from '../policy/tier-input.js';
import { wholeNumber } from '../policy/validators.js';
import type { Actor, ChangeLog, ChangeRecord, Recorder } from './create-change-log.js';
import { createOnce } from './create-once.js';
import { attributesOf, type RuleWrite, writeRules } from './create-rule-store.js';
import {
  addTier,
  assignmentsOf,
  changeTier,
  newTierWarnings,
  takeDefaultAway,
  tierOf,
  tierWarnings,
  usesOf,
} from './create-tier-store.js';
import { createOptions, done, refused, toUserErrors, type UserError, updateOptions } from './outcome.js';
import { type RuleAttributes, type RuleRecord, readRules } from './rule-record.js';
import { readRetiredTierNames, readTiers, retireTier, type TierRecord } from './tier-record.js';
import { warningsOfManyCounters } from './warnings-of-counters.js';

export interface PolicySync {
  /** YAML or JSON. */
  document: string;
  /** Retire what the document does not name. @default false */
  prune?: boolean | undefined;
  /** Do it; otherwise only say what would be done. @default false */
  apply?: boolean | undefined;
  /** Why, for the record of changes. */
  comment?: string | null | undefined;
  /** Refuse with `STALE_VERSION` if the policy in the store has another version: what is planned is what is done. */
  expectedVersion?: number | undefined;
  /** A repeated request with this key changes nothing again. Kept for a day. */
  idempotencyKey?: string | undefined;
  /** @default nothing is warned of but what is lost from counters */
  surroundings?: RuleSurroundings | undefined;
}

/** What happens to one tier or rule. */
export interface PolicyStep {
  action: 'CREATE' | 'UPDATE' | 'RETIRE';
  kind: 'tier' | 'rule';
  name: string;
  differences: Difference[];
  warnings: string[];
}

export interface PolicyPlan {
  steps: PolicyStep[];
  unchanged: number;
  /** The same for people. */
  text: string;
}

/** `version`: the number of the latest change of a tier or a rule that is stored afterwards; 0 before the first. */
type PolicySyncResult =
  | { plan: PolicyPlan; applied: boolean; version: number; userErrors: [] }
  | { plan?: never; applied: false; version: number | null; userErrors: UserError[] };

/** A step with the way to take it: a rule is written together with others. */
type PlannedStep = PolicyStep &
  (
    | { write: RuleWrite; take?: never }
    | {
        write?: never;
        /** A tier that is retired must not be in use. */
        retires?: TierRecord;
        take(tx: Tx, record: Recorder): Promise<void>;
      }
  );

/** What is stored when a plan is made. */
interface Plan {
  steps: PlannedStep[] | UserError[];
  /** The version of the policy that the steps are for. */
  version: number;
}

/** Plans that are made anew because others change the policy at the same time, before that is given up. */
const MAX_PLANS = 5;

const UNTOLD = ['id', 'version', 'createdAt', 'updatedAt', 'retiredAt'];

export function createPolicySync(db: Connections, changes: ChangeLog) {
  return {
    /**
     * Makes tiers and rules what a document says, all of it or nothing. What it does not name stays as it is, unless
     * `prune`. A document that is in force already changes nothing.
     */
    async syncPolicy(
      { document: text, prune = false, apply = false, surroundings, ...options }: PolicySync,
      actor: Actor,
    ): Promise<PolicySyncResult> {
      const { comment, expectedVersion, idempotencyKey } = options;
      const read = await parsePolicyDocument(text);
      const problems = read.problems ?? [];
      const said = optionsSchema.safeParse(options);
      const wrongOptions = said.error ? toUserErrors(said.error) : [];
      if (read.problems || wrongOptions.length > 0) {
        return failed([...problems.map((message) => failure('document', message)), ...wrongOptions]);
      }
      const { document } = read;
      const checked = new WeakMap<object, Rule>();
      // Before any lock: 10,000 rules take a second, in which others log in and change what they like.
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
              wrong.push(`tier "${name}" was retired: its name is not given again`);
          }
          if (wrong.length > 0) return { steps: wrong.map((message) => failure('document', message)), version };
          const steps = await planSteps(document, stored, { prune, checked });
          await warnOfCounters(tx, steps, stored);
          if (surroundings) addWarnings(steps, { document, stored, prune, surroundings, checked });
          return { steps, version };
        });
      const total = document.tiers.length + document.rules.length;
      if (!apply) {
        const { steps, version } = await plan();
        if (isRefusal(steps)) return failed(steps, version);
        return { plan: toPlan(steps, total), applied: false, version, userErrors: [] };
      }
      const attributes = { document: text, prune };
      const write = ({ steps, version: plannedAt }: Plan) => {
        // Before the locks: 10,000 lines take a while.
        const shown = toPlan(isRefusal(steps) ? [] : steps, total);
        return changes.write({ actor, comment, locks: 'POLICY' }, async (tx, record): Promise<PolicySyncResult> => {
          const outcome = await createOnce<AppliedPolicy>(
            tx,
            { actor, idempotencyKey, dryRun: false, operation: 'policySync', attributes },
            async (version) => ({ plan: madeBefore(total), version: Number(version) }),
            ({ version }) => String(version),
            async () => {
              if ((await readVersion(tx)) !== plannedAt) throw new PlanOutdatedError();
              if (isRefusal(steps)) return refused(steps);
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

/** Another change of the policy came between the plan and its lock. */
class PlanOutdatedError extends Error {}

const OTHERS_CHANGE_IT: UserError = {
  code: 'STALE_VERSION',
  field: ['document'],
  message: `others have changed a tier or a rule during each of ${MAX_PLANS} attempts: try again`,
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

/** Changes that are recorded in one statement. */
const CHANGES_AT_ONCE = 500;

/**
 * Takes the steps in order; rules that stand side by side are written together. What was changed is recorded at the end, as
 * others wait from then on.
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
  // Before the first change it is 0.
  expectedVersion: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  idempotencyKey: createOptions.idempotencyKey,
});

/** Tiers and rules have versions of their own; the policy as a whole has the number of the latest change of any of them. */
async function readVersion(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ version: number }>(
    `select coalesce(max(number), 0) as version from changes where entity in ('TIER', 'RULE')`,
  );
  return row!.version;
}

function stale(expected: number, version: number): UserError {
  const message = `a tier or a rule was changed since: expected version ${expected}, the policy is at ${version}`;
  return { code: 'STALE_VERSION', field: ['expectedVersion'], message };
}

/** What a repeated request has changed: nothing. */
function madeBefore(total: number): PolicyPlan {
  return { steps: [], unchanged: total, text: 'this request was made before: nothing was changed again' };
}

interface Stored {
  tiers: TierRecord[];
  rules: RuleRecord[];
}

/** What a document is planned with: whether it is all there is, and the rules that were checked already. */
interface Planning {
  prune: boolean;
  checked: WeakMap<object, Rule>;
}

/** Lists the mistakes in the policy that would be in force: the document's, and those of what stays of the store's. */
async function problemsOf(
  { tiers, rules }: PolicyDocument,
  stored: Stored,
  { prune, checked }: Planning,
): Promise<string[]> {
  const named = (list: { name?: unknown }[]) => new Set(list.map(({ name }) => name));
  const [tierNames, ruleNames] = [named(tiers), named(rules)];
  const newDefault = tiers.some(({ isDefault }) => isDefault === true);
  const staying = prune ? [] : stored.tiers.filter(({ name }) => !tierNames.has(name));
  const stayingTiers = staying.map(({ version: _v, createdAt: _c, updatedAt: _u, retiredAt: _r, ...tier }) => ({
    ...tier,
    // The document's default takes the place of the present one.
    isDefault: tier.isDefault && !newDefault,
  }));
  const stayingRules = prune ? [] : stored.rules.filter(({ name }) => !ruleNames.has(name)).map(attributesOf);
  await checkRules(stayingRules, checked);
  const policy = { tiers: [...tiers, ...stayingTiers], rules: [...rules, ...stayingRules] };
  const { problems = [] } = parsePolicy(policy, checked);
  return prune && tiers.length === 0 && stored.tiers.length > 0 ? [NO_TIER_STAYS, ...problems] : problems;
}

const NO_TIER_STAYS =
  'tiers: expected those that stay, as all that a document does not name are retired, and one has to be the default; got none';

/** New tiers before the rules that name them, rules before the tiers that they no longer name. */
async function planSteps(
  { tiers, rules }: PolicyDocument,
  stored: Stored,
  { prune, checked }: Planning,
): Promise<PlannedStep[]> {
  const known = new Map(stored.tiers.map((tier) => [tier.name, tier]));
  const wanted = tiers.map((tier) => tierOf(tierInput.parse(tier)));
  const losesDefault = (tier: TierRecord) => !tier.isDefault && known.get(tier.name)?.isDefault === true;
  // Before the tier that becomes the default: taking that step would change this one a second time.
  const ordered = [...wanted.filter(losesDefault), ...wanted.filter((tier) => !losesDefault(tier))];
  // One that is retired by the same document is taken for no other.
  const alikeOf = createAlikeNames([...(prune ? [] : known.keys()), ...wanted.map(({ name }) => name)]);
  const hasDefault = stored.tiers.some(({ isDefault }) => isDefault);
  const steps: PlannedStep[] = [];
  for await (const tier of inSlices(ordered)) {
    const before = known.get(tier.name);
    const alike = alikeOf(tier.name);
    steps.push(
      ...tierStep(before, tier, before ? tierWarnings(before, tier) : newTierWarnings(tier, { alike, hasDefault })),
    );
  }
  const knownRules = new Map(stored.rules.map((rule) => [rule.name, rule]));
  for await (const rule of inSlices(rules)) {
    const attributes = attributesIn(rule, checked);
    steps.push(...ruleStep(knownRules.get(attributes.name), attributes));
  }
  if (!prune) return steps;
  const ruleNames = new Set(rules.map(({ name }) => name));
  const tierNames = new Set(tiers.map(({ name }) => name));
  steps.push(...stored.rules.filter(({ name }) => !ruleNames.has(name)).map(ruleRetirement));
  steps.push(...stored.tiers.filter(({ name }) => !tierNames.has(name)).map(tierRetirement));
  return steps;
}

/** A rule of the document, which has no mistake, in its normal form. */
function attributesIn(rule: object, checked: WeakMap<object, Rule>): RuleAttributes {
  const { id: _id, ...attributes } = checked.get(rule)!;
  return attributes;
}

/** Warns of counters that edited rules leave, and of tiers that cannot be retired. */
async function warnOfCounters(tx: Tx, steps: readonly PlannedStep[], stored: Stored): Promise<void> {
  const edits = steps.flatMap(({ action, write }) =>
    action === 'UPDATE' && write?.before
      ? [{ before: write.before, next: { ...write.attributes, id: write.before.id } }]
      : [],
  );
  const warnings = await warningsOfManyCounters(tx, edits, stored.rules);
  for (const step of steps) {
    if (step.write?.before) step.warnings.unshift(...(warnings.get(step.write.before.id) ?? []));
    if (!step.write && step.retires) {
      // By then the rules of the document name other tiers.
      const uses = await assignmentsOf(tx, step.retires.name);
      step.warnings.unshift(...uses.map((message) => `applying is refused: ${message}`));
    }
  }
}

/** Warns of rules that would do nothing, each at the step that is to blame. */
function addWarnings(
  steps: readonly PlannedStep[],
  options: Planning & { document: PolicyDocument; stored: Stored; surroundings: RuleSurroundings },
): void {
  const { document, stored, prune, surroundings, checked } = options;
  const wanted = document.rules.map((rule) => attributesIn(rule, checked));
  const names = new Set(wanted.map(({ name }) => name));
  const ids = new Map(stored.rules.map(({ name, id }) => [name, id]));
  const among: Rule[] = prune ? [] : stored.rules.filter(({ name }) => !names.has(name));
  const idOf = createDraftIds(stored.rules);
  for (const rule of wanted) {
    const draft = { ...rule, id: ids.get(rule.name) ?? DRAFT_ID };
    among.push({ ...draft, id: idOf(draft) });
  }
  const inUse = new Set(among.map(({ name }) => name));
  among.push(...surroundings.rulesInCode.filter(({ name }) => !inUse.has(name)));
  const tiers = document.tiers.map((tier) => tierOf(tierInput.parse(tier)));
  const tierNames = new Set(tiers.map(({ name }) => name));
  tiers.push(...(prune ? [] : stored.tiers.filter(({ name }) => !tierNames.has(name))));
  const byName = new Map(
    steps.flatMap((step) => (step.kind === 'rule' && step.action !== 'RETIRE' ? [[step.name, step]] : [])),
  );
  const rules = among.filter(({ name }) => byName.has(name));
  for (const { rule, winners, message } of findRuleWarnings({ rules, among, tiers, fields: surroundings.fields })) {
    const step = [rule, ...winners].map(({ name }) => byName.get(name)).find((one) => one !== undefined);
    step?.warnings.push(message);
  }
}

function tierStep(before: TierRecord | undefined, tier: TierRecord, warnings: string[]): PlannedStep[] {
  const differences = differencesOf(before ?? null, tier, UNTOLD);
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

function ruleStep(before: RuleRecord | undefined, rule: RuleAttributes): PlannedStep[] {
  const differences = differencesOf(before ? attributesOf(before) : null, rule, UNTOLD);
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

function ruleRetirement(rule: RuleRecord): PlannedStep {
  return {
    action: 'RETIRE',
    kind: 'rule',
    name: rule.name,
    differences: [],
    warnings: [],
    write: { before: rule, attributes: attributesOf(rule), retired: true, action: 'RETIRE' },
  };
}

function tierRetirement(tier: TierRecord): PlannedStep {
  return {
    action: 'RETIRE',
    kind: 'tier',
    name: tier.name,
    differences: [],
    warnings: [],
    retires: tier,
    async take(tx, record) {
      // From here on nobody else is assigned the tier.
      await tx.query('select lock_changes()');
      const uses = await usesOf(tx, { ...tier, isDefault: false });
      if (uses.length > 0) throw new PolicyInUseError(uses);
      const after = await retireTier(tx, tier.name);
      await record({ entity: 'TIER', key: tier.name, action: 'RETIRE', before: tier, after });
    },
  };
}

/** Rolls the whole change back. */
class PolicyInUseError extends Error {
  constructor(readonly userErrors: UserError[]) {
    super(userErrors.map(({ message }) => message).join('; '));
  }
}

function toPlan(steps: readonly PolicyStep[], total: number): PolicyPlan {
  const shown = steps.map(({ action, kind, name, differences, warnings }) => ({
    action,
    kind,
    name,
    differences,
    warnings,
  }));
  const unchanged = total - steps.filter(({ action }) => action !== 'RETIRE').length;
  return { steps: shown, unchanged, text: describePlan(shown, unchanged) };
}

const SIGNS = { CREATE: '+', UPDATE: '~', RETIRE: '-' } as const;

/** As a diff reads: one line per tier or rule, one per member that differs, one per warning. */
function describePlan(steps: readonly PolicyStep[], unchanged: number): string {
  const lines = steps.flatMap(({ action, kind, name, differences, warnings }) => [
    `${SIGNS[action]} ${kind} ${name}`,
    ...differences.map(({ path, before, after }) =>
      before === null ? `    ${path}: ${after}` : `    ${path}: ${before} -> ${after ?? '(none)'}`,
    ),
    ...warnings.map((warning) => `    ! ${warning}`),
  ]);
  const counts = (['CREATE', 'UPDATE', 'RETIRE'] as const).map(
    (action) => `${steps.filter((step) => step.action === action).length} to ${action.toLowerCase()}`,
  );
  return [...lines, `${counts.join(', ')}, ${unchanged} unchanged`].join('\n');
}

function isRefusal(result: PlannedStep[] | UserError[]): result is UserError[] {
  return result.length > 0 && 'code' in result[0]!;
}

function failure(field: string, message: string): UserError {
  return { code: 'INVALID', field: [field], message };
}

function failed(userErrors: UserError[], version: number | null = null): PolicySyncResult {
  return { applied: false, version, userErrors };
}
