import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useChange } from '../../../api/use-admin.js';
import {
  CreateRuleDocument,
  type RuleCreateInput,
  type RuleFactsFragment,
  type RuleUpdateInput,
  UpdateRuleDocument,
} from '../../../generated/graphql.js';
import { CopyButton } from '../../../parts/feedback/copy-button.js';
import { WarningNotice } from '../../../parts/feedback/warning-notice.js';
import { Conflict } from '../../../parts/form/conflict.js';
import { changedMembers, draftOnto } from '../../../parts/form/draft-onto.js';
import type { Problem } from '../../../parts/form/labelled.js';
import { commonText } from '../../../text/common-text.js';
import { rulesText } from '../../../text/rules-text.js';
import { draftOfRule } from '../draft-of-rule.js';
import { type Simulation, SimulationNotice, simulateRule } from '../simulation.js';
import { ruleAsMutation, ruleAsYaml } from '../versions/rule-as-text.js';
import { firstLimit } from './limit-fields.js';
import { RuleFields } from './rule-fields.js';
import { TIMES } from './time-fields.js';
import { useRuleWarnings } from './use-rule-warnings.js';

/** Members of a rule whose errors the form shows next to their fields. */
const SHOWN: readonly string[] = [
  'name',
  'field',
  'fields',
  'scope',
  'measure',
  'mode',
  'rolloutPercent',
  'priority',
  'onUnavailable',
  'regionMode',
  'match',
  'description',
  'limits',
  'schedule',
  'activeFrom',
  'activeUntil',
] satisfies (keyof RuleCreateInput)[];

const { copy, create: createLabel, createAnyway, save: saveLabel, saveAnyway } = commonText;
const { simulation: simulationText } = rulesText;

/** Initial draft of a new rule. In shadow mode, the rule counts but denies no operation. */
const NEW_RULE: RuleCreateInput = {
  name: '',
  fields: ['*'],
  scope: 'USER',
  measure: 'COST',
  mode: 'SHADOW',
  rolloutPercent: 100,
  priority: 100,
  limits: [firstLimit('slidingWindowCounter')],
};

/**
 * Shows the form of a new rule, initially `start`, or of an existing rule. It can simulate the draft
 * on the traffic of the last day, and save it.
 */
export function RuleForm({
  rule,
  start = NEW_RULE,
}: {
  rule?: RuleFactsFragment;
  start?: RuleCreateInput | undefined;
}) {
  const [, go] = useLocation();
  // The stored rule on which the draft is based. The form sends only the differences. When the user
  // resolves a conflict, the version of the other person becomes the new base.
  const [base, setBase] = useState(rule);
  const [draft, setDraft] = useState(rule ? draftOfRule(rule) : start);
  const [theirs, setTheirs] = useState<RuleFactsFragment>();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  // Warnings that the user must see before the draft is saved. A second click on Save confirms
  // them.
  const [warnings, setWarnings] = useState<readonly string[]>();
  const [found, setFound] = useState<Simulation>();
  const [isBusy, setBusy] = useState(false);
  const create = useChange(CreateRuleDocument);
  const update = useChange(UpdateRuleDocument);
  // A new rule in shadow mode is usually enforced later, so the form shows the warnings about the
  // enforced rule.
  const isForLater = !base && draft.mode === 'SHADOW';
  const early = useRuleWarnings(
    base ? changeOf(draft, base) : { ...given(draft), ...(isForLater && { mode: 'ENFORCE' }) },
  );

  function set(change: Partial<RuleCreateInput>) {
    setDraft((before) => ({ ...before, ...change }));
    setFound(undefined);
    setWarnings(undefined);
  }
  async function run(ask: () => Promise<readonly Problem[]>) {
    setBusy(true);
    setProblems(await ask().catch(({ message }: Error) => [{ field: [], message }]));
    setBusy(false);
  }
  async function send(dryRun: boolean) {
    if (!base) return (await create.mutateAsync({ input: { ...given(draft), dryRun } })).ruleCreate;
    return (await update.mutateAsync({ input: { ...changeOf(draft, base), dryRun } })).ruleUpdate;
  }
  async function tryOut(): Promise<{ simulation: Simulation | undefined; problems: readonly Problem[] }> {
    const { simulation, problems } = await simulateRule(given(draft), base?.id);
    setFound(simulation);
    return { simulation, problems };
  }
  async function save(): Promise<readonly Problem[]> {
    // The first attempt is a dry run. It shows unintended effects and denied callers before the
    // change is made.
    let payload = await send(warnings === undefined);
    if (warnings === undefined && payload?.userErrors.length === 0) {
      const warned = [...payload.warnings];
      const denies = draft.mode === 'ENFORCE' && (await wouldDeny(warned));
      if (warned.length > 0 || denies) {
        setWarnings(warned);
        return [];
      }
      payload = await send(false);
    }
    const errors = payload?.userErrors ?? [];
    if (payload?.rule && errors.length === 0) go(`/rule?${new URLSearchParams({ name: payload.rule.name })}`);
    const isStale = errors.some(({ code }) => code === 'STALE_VERSION');
    setTheirs((isStale && payload?.rule) || undefined);
    return errors
      .filter(({ code }) => code !== 'STALE_VERSION' || !payload?.rule)
      .map(({ field, message }) => ({ field: atTheForm(field), message }));
  }
  /**
   * Returns whether the draft would have denied further operations on the last day. A failed
   * simulation adds a warning.
   */
  async function wouldDeny(warned: string[]): Promise<boolean> {
    try {
      const { simulation, problems } = await tryOut();
      warned.push(...problems.map(({ message }) => message));
      return (simulation?.newlyDenied ?? 0) > 0;
    } catch (error) {
      warned.push(simulationText.failed(error instanceof Error ? error.message : String(error)));
      return false;
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(save);
  };
  const onTop = (stored: RuleFactsFragment, first: RuleFactsFragment) =>
    draftOnto(draftOfRule(stored), draft, draftOfRule(first));
  const take = (next: RuleCreateInput) => {
    setBase(theirs);
    setDraft(next);
    setTheirs(undefined);
    setFound(undefined);
    setWarnings(undefined);
  };
  const others = problems.filter(({ field }) => !SHOWN.includes(field[0] ?? ''));
  return (
    <form onSubmit={submit} className="page-parts">
      <RuleFields draft={draft} problems={problems} onChange={set} />
      {others.map(({ message }) => (
        <p key={message} className="form-problem" role="alert">
          {message}
        </p>
      ))}
      {/* The notice is at the end of the form, where users look after saving. */}
      {theirs && base && (
        <Conflict
          what="rule"
          first={asShown(draftOfRule(base), base)}
          stored={asShown(draftOfRule(theirs), theirs)}
          merged={asShown(onTop(theirs, base), theirs)}
          onTakeStored={() => take(draftOfRule(theirs))}
          onKeepMine={() => take(onTop(theirs, base))}
        />
      )}
      <WarningNotice
        messages={[...new Set([...(warnings ?? early), ...(found?.warnings ?? [])])]}
        title={isForLater ? rulesText.form.ifEnforced : undefined}
      />
      {found && <SimulationNotice simulation={found} />}
      <div className="form-actions">
        <CopyButton label={copy.asMutation} text={() => ruleAsMutation(given(draft))} isWide />
        <CopyButton label={copy.asYaml} text={() => ruleAsYaml(given(draft))} isWide />
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={({ currentTarget }) => {
            if (currentTarget.form?.reportValidity()) void run(async () => (await tryOut()).problems);
          }}
        >
          {simulationText.run}
        </button>
        <button type="submit" className="button button-primary" disabled={isBusy || theirs !== undefined}>
          {warnings === undefined ? (base ? saveLabel : createLabel) : base ? saveAnyway : createAnyway}
        </button>
      </div>
    </form>
  );
}

/** Returns the draft without an empty description. */
function given({ description, ...draft }: RuleCreateInput): RuleCreateInput {
  return { ...draft, ...(description?.trim() && { description }) };
}

/**
 * Returns the changes of the draft. The id identifies the rule, so the name is only included if it
 * changes.
 */
function changeOf(draft: RuleCreateInput, base: RuleFactsFragment): RuleUpdateInput {
  const { name, description, ...changed } = changedMembers(draft, draftOfRule(base));
  return {
    ...changed,
    id: base.id,
    expectedVersion: base.version,
    ...(name !== undefined && { newName: name }),
    ...(description !== undefined && { description: description?.trim() ? description : null }),
    // A removed time is undefined in the draft, and null in the change.
    ...Object.fromEntries(TIMES.flatMap((one) => (one in changed ? [[one, changed[one as never] ?? null]] : []))),
  } as RuleUpdateInput;
}

/**
 * Returns the draft with the time at which the rule was retired. Another person may have retired
 * the rule.
 */
function asShown(draft: RuleCreateInput, { retiredAt }: RuleFactsFragment): object {
  return { ...draft, retiredAt };
}

/** Maps an error of `newName` to the field of the name. */
function atTheForm(field: readonly string[]): readonly string[] {
  const [top = '', ...rest] = field;
  return [top === 'newName' ? 'name' : top, ...rest];
}
