import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/use-admin.js';
import { type ApiKeyKind, MintKeyDocument } from '../../generated/graphql.js';
import { DialogActions } from '../../parts/form/dialog-actions.js';
import { type ExpiryDays, ExpiryField, expiryAfter } from '../../parts/form/expiry-field.js';
import { Labelled, type Problem } from '../../parts/form/labelled.js';
import { Modal } from '../../parts/form/modal.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { callersText } from '../../text/callers-text.js';
import { commonText } from '../../text/common-text.js';
import type { StoredName } from './use-caller-changes.js';

const { keys: text, kind: callerKind } = callersText;

const KINDS = Object.keys(text.kind) as ApiKeyKind[];

export interface NewKeyProps {
  /** Holder of the key. */
  who: StoredName;
  onClose(): void;
  onMade(secret: string, prefix: string): void;
}

/** Shows the form of a new API key: name, kind, expiry and scopes. */
export function NewKey({ who, onClose, onMade }: NewKeyProps) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<ApiKeyKind>('SERVICE');
  const [scopes, setScopes] = useState('');
  const [days, setDays] = useState<ExpiryDays>('');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const create = useChange(MintKeyDocument);

  async function make(): Promise<readonly Problem[]> {
    const listed = scopes.split(',').flatMap((scope) => scope.trim() || []);
    const input = { ...who, name: name.trim(), kind, scopes: listed, expiresAt: expiryAfter(days) };
    const { secret, apiKey, userErrors = [] } = (await create.mutateAsync({ input })).apiKeyCreate ?? {};
    if (secret && apiKey) onMade(secret, apiKey.prefix);
    return userErrors;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make().then(setProblems, ({ message }: Error) => setProblems([{ field: [], message }]));
  };
  const of = (field: string) => problems.filter((problem) => problem.field[0] === field);
  const others = problems.filter(({ field }) => !['name', 'kind', 'scopes', 'expiresAt'].includes(field[0] ?? ''));
  return (
    <Modal title={text.create} onClose={onClose}>
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
        <Labelled label={text.name} help={text.nameHint} problems={of('name')}>
          {(control) => (
            <input
              {...control}
              className="input"
              maxLength={100}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Labelled>
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
        <ExpiryField value={days} problems={of('expiresAt')} onChange={setDays} />
        <Labelled label={text.scopes} help={text.scopesHint} problems={of('scopes')}>
          {(control) => (
            <input
              {...control}
              className="input"
              autoComplete="off"
              value={scopes}
              onChange={(event) => setScopes(event.target.value)}
            />
          )}
        </Labelled>
        {others.map(({ message }) => (
          <p key={message} className="form-problem" role="alert">
            {message}
          </p>
        ))}
        <DialogActions submit={commonText.create} isPending={create.isPending} onClose={onClose} />
      </form>
    </Modal>
  );
}
