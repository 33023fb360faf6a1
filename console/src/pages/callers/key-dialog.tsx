import { type FormEvent, useState } from 'react';
import { MAX_COST } from '../../../../src/model/limit-parameters.js';
import { useChange } from '../../api/use-admin.js';
import {
  type ApiKeyKind,
  MintKeyDocument,
  type StoredCallerQuery,
  UpdateKeyDocument,
} from '../../generated/graphql.js';
import { DialogActions } from '../../parts/form/dialog-actions.js';
import { type ExpiryChoice, ExpiryField, expiryAfter } from '../../parts/form/expiry-field.js';
import { Labelled, type Problem } from '../../parts/form/labelled.js';
import { Modal } from '../../parts/form/modal.js';
import { NumberInput } from '../../parts/form/number-input.js';
import { duration } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { callersText } from '../../text/callers-text.js';
import { commonText } from '../../text/common-text.js';
import type { Bucket } from '../tiers/bucket-text.js';
import type { StoredName } from './use-caller-changes.js';

const { keys: text, kind: callerKind } = callersText;

const KINDS = Object.keys(text.kind) as ApiKeyKind[];
const PERIODS_MS = [1000, 60_000, 3_600_000, 86_400_000];
const SHOWN = ['name', 'kind', 'budget', 'fields', 'scopes', 'expiresAt'];

export type StoredKey = NonNullable<StoredCallerQuery['subject']>['apiKeys']['nodes'][number];

export interface KeyDialogProps {
  /** Holder of the key. */
  who: StoredName;
  /** Key to edit. Undefined: a new key. */
  stored?: StoredKey;
  onClose(): void;
  /** @param secret undefined for an edited key */
  onSaved(prefix: string, secret?: string): void;
}

/** Shows the form of a new or stored API key: name, kind, budget, fields, expiry and scopes. */
export function KeyDialog({ who, stored, onClose, onSaved }: KeyDialogProps) {
  const [name, setName] = useState(stored?.name ?? '');
  const [kind, setKind] = useState<ApiKeyKind>(stored?.kind ?? 'SERVICE');
  const [budget, setBudget] = useState<Bucket>(stored?.budget ?? NO_BUDGET);
  const [fields, setFields] = useState(stored?.fields?.join(', ') ?? '');
  const [scopes, setScopes] = useState(stored?.scopes.join(', ') ?? '');
  const [expiry, setExpiry] = useState<ExpiryChoice>(stored ? 'same' : '');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [create, update] = [useChange(MintKeyDocument), useChange(UpdateKeyDocument)];

  async function save(): Promise<readonly Problem[]> {
    const input = {
      name: name.trim(),
      kind,
      budget: Number.isNaN(budget.capacity) ? null : budget,
      fields: listOf(fields).length > 0 ? listOf(fields) : null,
      scopes: listOf(scopes),
      ...(expiry !== 'same' && { expiresAt: expiryAfter(expiry) }),
    };
    if (stored) {
      const edit = { ...input, id: stored.id, expectedVersion: stored.version };
      const { apiKey, userErrors = [] } = (await update.mutateAsync({ input: edit })).apiKeyUpdate ?? {};
      if (apiKey && userErrors.length === 0) onSaved(apiKey.prefix);
      return userErrors;
    }
    const made = (await create.mutateAsync({ input: { ...who, ...input } })).apiKeyCreate;
    if (made?.secret && made.apiKey) onSaved(made.apiKey.prefix, made.secret);
    return made?.userErrors ?? [];
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save().then(setProblems, ({ message }: Error) => setProblems([{ field: [], message }]));
  };
  const of = (field: string) => problems.filter((problem) => problem.field[0] === field);
  const others = problems.filter(({ field }) => !SHOWN.includes(field[0] ?? ''));
  const written = (label: string, help: string, field: string, value: string, set: (value: string) => void) => (
    <Labelled label={label} help={help} problems={of(field)}>
      {(control) => (
        <input
          {...control}
          className="input"
          autoComplete="off"
          {...(field === 'name' && { maxLength: 100 })}
          value={value}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </Labelled>
  );
  return (
    <Modal title={stored ? text.edit(stored.prefix) : text.create} onClose={onClose}>
      <form onSubmit={submit}>
        <dl className="facts">
          <dt>{text.holder}</dt>
          <dd>
            <Name>{who.user ?? who.tenant ?? ''}</Name>{' '}
            <span className="tag">
              {who.user && who.tenant
                ? callerKind.userOfTenant(visibleText(who.tenant, 40))
                : who.user
                  ? callerKind.user
                  : callerKind.tenant}
            </span>
          </dd>
        </dl>
        {written(text.name, text.nameHint, 'name', name, setName)}
        <Labelled label={text.kindLabel} help={text.kindHint} problems={of('kind')}>
          {(control) => (
            <select
              {...control}
              className="select"
              value={kind}
              onChange={(event) => setKind(event.target.value as ApiKeyKind)}
            >
              {KINDS.map((one) => (
                <option key={one} value={one}>
                  {text.kind[one]}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <BudgetFields budget={budget} problems={of('budget')} onChange={setBudget} />
        {written(text.fields, text.fieldsHint, 'fields', fields, setFields)}
        <ExpiryField value={expiry} mayStay={stored !== undefined} problems={of('expiresAt')} onChange={setExpiry} />
        {written(text.scopes, text.scopesHint, 'scopes', scopes, setScopes)}
        {others.map(({ message }) => (
          <p key={message} className="form-problem" role="alert">
            {message}
          </p>
        ))}
        <DialogActions
          submit={stored ? commonText.save : commonText.create}
          isPending={create.isPending || update.isPending}
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}

/** An empty capacity stands for no budget. */
const NO_BUDGET: Bucket = { capacity: Number.NaN, refillAmount: Number.NaN, refillPeriodMs: 3_600_000 };

interface BudgetFieldsProps {
  budget: Bucket;
  problems: readonly Problem[];
  onChange(budget: Bucket): void;
}

function BudgetFields({ budget, problems, onChange }: BudgetFieldsProps) {
  const { capacity, refillAmount, refillPeriodMs } = budget;
  const hasBudget = !Number.isNaN(capacity);
  const periods = PERIODS_MS.includes(refillPeriodMs) ? PERIODS_MS : [...PERIODS_MS, refillPeriodMs];
  return (
    <>
      <Labelled label={text.budget} help={text.budgetHint} problems={problems}>
        {(control) => (
          <NumberInput
            {...control}
            min={1}
            max={MAX_COST}
            value={capacity}
            onChange={(next) => onChange({ ...budget, capacity: next })}
          />
        )}
      </Labelled>
      {hasBudget && (
        <>
          <Labelled label={text.refill} problems={[]}>
            {(control) => (
              <NumberInput
                {...control}
                min={1}
                max={MAX_COST}
                required
                value={refillAmount}
                onChange={(next) => onChange({ ...budget, refillAmount: next })}
              />
            )}
          </Labelled>
          <Labelled label={text.refillPeriod} problems={[]}>
            {(control) => (
              <select
                {...control}
                className="select"
                value={refillPeriodMs}
                onChange={({ target }) => onChange({ ...budget, refillPeriodMs: Number(target.value) })}
              >
                {periods.map((periodMs) => (
                  <option key={periodMs} value={periodMs}>
                    {duration(periodMs)}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        </>
      )}
    </>
  );
}

function listOf(value: string): string[] {
  return value.split(',').flatMap((one) => one.trim() || []);
}
