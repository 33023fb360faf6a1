import { type FormEvent, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { askAdmin } from '../../api/ask-admin.js';
import { useChange } from '../../api/use-admin.js';
import {
  CreateRuleDocument,
  type RuleCreateInput,
  type RuleUpdateInput,
  SimulateRuleDocument,
  type SimulateRuleQuery,
  UpdateRuleDocument,
} from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { CopyButton } from '../../parts/feedback/copy-button.js';
import { rangeInput, readRange } from '../../parts/range/shown-range.js';
import { whole } from '../../parts/text/format.js';
import { firstLimit, LimitFields } from './limit-fields.js';

const SCOPES = ['USER', 'TENANT', 'API_KEY', 'IP', 'GLOBAL'] as const;
const MEASURES = ['COST', 'CALLS', 'REQUESTS', 'NODES', 'TYPE_COST', 'FIELD_COST'] as const;
const MODES = ['SHADOW', 'ENFORCE', 'OFF'] as const;
const WITHOUT_REDIS = ['LOCAL', 'OPEN', 'CLOSED'] as const;

/** What a new rule begins as: it counts and denies nobody before it is enforced. */
export const NEW_RULE: RuleCreateInput = {
  name: '',
  field: '*',
  scope: 'USER',
  measure: 'COST',
  mode: 'SHADOW',
  limits: [firstLimit('slidingWindowCounter')],
};

interface Problem {
  field: readonly string[];
  message: string;
}
type Simulation = NonNullable<SimulateRuleQuery['ruleSimulate']['simulation']>;

export interface RuleFormProps {
  first: RuleCreateInput;
  /** Of a rule that is there: it is changed. */
  existing?: { id: string; version: number };
}

/** A rule to be written: tried on the last day's traffic, and saved. */
export function RuleForm({ first, existing }: RuleFormProps) {
  const [, go] = useLocation();
  const [draft, setDraft] = useState(first);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [found, setFound] = useState<Simulation>();
  const [isBusy, setBusy] = useState(false);
  const create = useChange(CreateRuleDocument);
  const update = useChange(UpdateRuleDocument);

  function set(change: Partial<RuleCreateInput>) {
    setDraft((before) => ({ ...before, ...change }));
    setFound(undefined);
  }
  async function run(ask: () => Promise<readonly Problem[]>) {
    setBusy(true);
    setProblems(await ask().catch((error: Error) => [{ field: [], message: error.message }]));
    setBusy(false);
  }
  const save = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const payload = existing
        ? (await update.mutateAsync({ input: changeOf(draft, first, existing) })).ruleUpdate
        : (await create.mutateAsync({ input: draft })).ruleCreate;
      if (payload?.rule) go(`/rule?${new URLSearchParams({ name: payload.rule.name })}`);
      return (payload?.userErrors ?? []).map(({ field, message }) => ({ field: atTheForm(field), message }));
    });
  };
  const simulate = () =>
    run(async () => {
      const range = rangeInput(readRange('24h', Date.now() - 1));
      const rule = { ...draft, mode: 'ENFORCE' as const };
      const input = { rule, range, ...(existing && { replaces: existing.id }) };
      const { simulation, userErrors } = (await askAdmin(SimulateRuleDocument, { input })).ruleSimulate;
      setFound(simulation ?? undefined);
      return userErrors.map(({ message }) => ({ field: [], message }));
    });

  const of = (name: keyof RuleCreateInput) => problems.filter(({ field }) => field[0] === name);
  const shown: readonly string[] = ['name', 'field', 'scope', 'measure', 'limits', 'mode', 'priority', 'description'];
  const others = problems.filter(({ field }) => !shown.includes(field[0] ?? ''));
  return (
    <form onSubmit={save} className="page-parts">
      <Card title="What it limits">
        <div className="fields card-body">
          <Labelled label="Name" problems={of('name')}>
            <input
              className="input"
              required
              maxLength={100}
              value={draft.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          </Labelled>
          <Labelled label="Field, such as Query.search; * for all" problems={of('field')}>
            <input
              className="input mono"
              required
              value={draft.field}
              onChange={(event) => set({ field: event.target.value })}
            />
          </Labelled>
          <Choice
            label="Counted by"
            of={SCOPES}
            value={draft.scope}
            onChange={(scope) => set({ scope })}
            problems={of('scope')}
          />
          <Choice
            label="Counts"
            of={MEASURES}
            value={draft.measure ?? 'COST'}
            onChange={(measure) => set({ measure })}
            problems={of('measure')}
          />
          <Choice
            label="Mode"
            of={MODES}
            value={draft.mode ?? 'SHADOW'}
            onChange={(mode) => set({ mode })}
            problems={of('mode')}
          />
          <Choice
            label="Without Redis"
            of={WITHOUT_REDIS}
            value={draft.onUnavailable ?? 'LOCAL'}
            onChange={(onUnavailable) => set({ onUnavailable })}
            problems={of('onUnavailable')}
          />
          <Labelled label="Tiers, with commas; all where empty" problems={of('match')}>
            <input
              className="input"
              defaultValue={(draft.match?.tiers ?? []).join(', ')}
              // Once it is written: half of it would be put in order under the hands of who writes it.
              onBlur={(event) => set({ match: { ...draft.match, tiers: namesIn(event.target.value) } })}
            />
          </Labelled>
          <Labelled label="Description" problems={of('description')}>
            <input
              className="input"
              value={draft.description ?? ''}
              onChange={(event) => set({ description: event.target.value })}
            />
          </Labelled>
        </div>
      </Card>
      <Card
        title="Limits"
        aside={
          <button
            type="button"
            className="button button-small"
            onClick={() => set({ limits: [...draft.limits, firstLimit('tokenBucket')] })}
          >
            Add a limit
          </button>
        }
      >
        <div className="card-body">
          {draft.limits.map((limit, at) => (
            <LimitFields
              // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else to be told apart by, and hold no state.
              key={at}
              limit={limit}
              onChange={(changed) => set({ limits: draft.limits.map((one, i) => (i === at ? changed : one)) })}
              onRemove={() => set({ limits: draft.limits.filter((_, i) => i !== at) })}
            />
          ))}
          {draft.limits.length === 0 && (
            <p className="muted">Without a limit the rule exempts from the rules below it.</p>
          )}
          {of('limits').map(({ message, field }) => (
            <p key={message} className="field-problem" role="alert">
              {field.slice(1).join('.')} {message}
            </p>
          ))}
        </div>
      </Card>
      <div className="form-actions">
        <CopyButton label="Copy as mutation" text={mutationOf(draft)} />
        <button type="button" className="button" disabled={isBusy} onClick={() => void simulate()}>
          Try it on the last day
        </button>
        <button type="submit" className="button button-primary" disabled={isBusy}>
          {existing ? 'Save' : 'Create'}
        </button>
      </div>
      {others.map(({ message }) => (
        <p key={message} className="form-problem" role="alert">
          {message}
        </p>
      ))}
      {found && (
        <p className="notice notice-good" role="status">
          Of {whole(found.decisions)} decisions of the last day it would have denied {whole(found.newlyDenied)} more
          than today&rsquo;s rules.
        </p>
      )}
    </form>
  );
}

/** Which rule is told by its id: its name is given where it is to have another one. */
function changeOf(
  { name, ...draft }: RuleCreateInput,
  first: RuleCreateInput,
  { id, version }: NonNullable<RuleFormProps['existing']>,
): RuleUpdateInput {
  const description = draft.description?.trim() ? draft.description : null;
  return { ...draft, description, id, expectedVersion: version, ...(name !== first.name && { newName: name }) };
}

/** The name has another name where a rule is changed. */
function atTheForm(field: readonly string[] | null | undefined): readonly string[] {
  const [top = '', ...rest] = field ?? [];
  return [top === 'newName' ? 'name' : top, ...rest];
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** What `curl` or a program would send to make this rule. */
function mutationOf(draft: RuleCreateInput): string {
  const query =
    'mutation ($input: RuleCreateInput!) { ruleCreate(input: $input) { rule { id } userErrors { field message } } }';
  return JSON.stringify({ query, variables: { input: draft } }, null, 2);
}

interface LabelledProps {
  label: string;
  problems: readonly Problem[];
  children: ReactNode;
}

function Labelled({ label, problems, children }: LabelledProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label className="field">
      <span className="field-label">{label}</span>
      {children}
      {problems.map(({ message }) => (
        <span key={message} className="field-problem" role="alert">
          {message}
        </span>
      ))}
    </label>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  of: readonly Value[];
  value: Value;
  onChange(value: Value): void;
  problems: readonly Problem[];
}

function Choice<Value extends string>({ label, of, value, onChange, problems }: ChoiceProps<Value>) {
  return (
    <Labelled label={label} problems={problems}>
      <select className="select" value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {of.map((one) => (
          <option key={one} value={one}>
            {one.toLowerCase().replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
