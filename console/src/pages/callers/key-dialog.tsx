import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/use-admin.js';
import {
  type ApiKeyKind,
  MintKeyDocument,
  type StoredCallerQuery,
  UpdateKeyDocument,
} from '../../generated/graphql.js';
import { WarningNotice } from '../../parts/feedback/warning-notice.js';
import { DialogActions } from '../../parts/form/dialog-actions.js';
import { elementsOf } from '../../parts/form/elements-of.js';
import { type ExpiryChoice, ExpiryField, expiryAfter } from '../../parts/form/expiry-field.js';
import { Labelled, type Problem } from '../../parts/form/labelled.js';
import { Modal } from '../../parts/form/modal.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { callersText } from '../../text/callers-text.js';
import { commonText } from '../../text/common-text.js';
import { draftOfKeyBudget, KeyBudgetFields } from './key-budget-fields.js';
import type { StoredName } from './use-caller-changes.js';

const { keys: text, kind: callerKind } = callersText;

const KINDS = Object.keys(text.kind) as ApiKeyKind[];
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
  const [budget, setBudget] = useState(draftOfKeyBudget(stored?.budget));
  const [fields, setFields] = useState(stored?.fields?.join(', ') ?? '');
  const [scopes, setScopes] = useState(stored?.scopes.join(', ') ?? '');
  const [expiry, setExpiry] = useState<ExpiryChoice>(stored ? 'same' : '');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const [create, update] = [useChange(MintKeyDocument), useChange(UpdateKeyDocument)];

  async function send(dryRun: boolean) {
    const input = {
      dryRun,
      name: name.trim(),
      kind,
      budget,
      fields: elementsOf(fields).length > 0 ? elementsOf(fields) : null,
      scopes: elementsOf(scopes),
      ...(expiry !== 'same' && { expiresAt: expiryAfter(expiry) }),
    };
    if (!stored) return (await create.mutateAsync({ input: { ...who, ...input } })).apiKeyCreate;
    const edit = { ...input, id: stored.id, expectedVersion: stored.version };
    const { apiKeyUpdate } = await update.mutateAsync({ input: edit });
    return apiKeyUpdate && { ...apiKeyUpdate, secret: null };
  }
  async function save(): Promise<readonly Problem[]> {
    // The first attempt is a dry run. It shows unintended effects before the change is made.
    const isConfirmed = warnings.length > 0;
    let payload = await send(!isConfirmed);
    const warned = isConfirmed ? [] : (payload?.warnings ?? []);
    if (!isConfirmed && warned.length === 0 && payload?.userErrors.length === 0) payload = await send(false);
    setWarnings(warned);
    const errors = payload?.userErrors ?? [];
    if (payload?.apiKey && errors.length === 0 && warned.length === 0) {
      onSaved(payload.apiKey.prefix, payload.secret ?? undefined);
    }
    return errors;
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
  const [first, anyway] = stored
    ? [commonText.save, commonText.saveAnyway]
    : [commonText.create, commonText.createAnyway];
  const submitLabel = warnings.length > 0 ? anyway : first;
  return (
    <Modal title={stored ? text.edit(stored.prefix) : text.create} onClose={onClose}>
      <form onSubmit={submit} onChange={() => setWarnings([])}>
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
        <KeyBudgetFields budget={budget} problems={of('budget')} onChange={setBudget} />
        {written(text.fields, text.fieldsHint, 'fields', fields, setFields)}
        <ExpiryField value={expiry} mayStay={stored !== undefined} problems={of('expiresAt')} onChange={setExpiry} />
        {written(text.scopes, text.scopesHint, 'scopes', scopes, setScopes)}
        {others.map(({ message }) => (
          <p key={message} className="form-problem" role="alert">
            {message}
          </p>
        ))}
        <WarningNotice messages={warnings} />
        <DialogActions submit={submitLabel} isPending={create.isPending || update.isPending} onClose={onClose} />
      </form>
    </Modal>
  );
}
