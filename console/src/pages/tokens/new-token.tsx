import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/use-admin.js';
import { type AdminRole, CreateAdminTokenDocument } from '../../generated/graphql.js';
import { DialogActions } from '../../parts/form/dialog-actions.js';
import { type ExpiryDays, ExpiryField, expiryAfter } from '../../parts/form/expiry-field.js';
import { Labelled, type Problem } from '../../parts/form/labelled.js';
import { Modal } from '../../parts/form/modal.js';
import { commonText } from '../../text/common-text.js';
import { tokensText } from '../../text/tokens-text.js';

const { form } = tokensText;

/** Shows the form of a new token: holder, role and duration. */
export function NewToken({ onClose, onMade }: { onClose(): void; onMade(secret: string): void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<AdminRole>('VIEWER');
  const [days, setDays] = useState<ExpiryDays>('90');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const create = useChange(CreateAdminTokenDocument);

  async function make(): Promise<readonly Problem[]> {
    const answer = await create.mutateAsync({ input: { name: name.trim(), role, expiresAt: expiryAfter(days) } });
    const { secret, userErrors = [] } = answer.adminTokenCreate ?? {};
    if (secret) onMade(secret);
    return userErrors;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make().then(setProblems, ({ message }: Error) => setProblems([{ field: [], message }]));
  };
  const of = (field: string) => problems.filter((problem) => problem.field[0] === field);
  const others = problems.filter(({ field }) => !['name', 'role', 'expiresAt'].includes(field[0] ?? ''));
  return (
    <Modal title={form.title} onClose={onClose}>
      <form onSubmit={submit}>
        <Labelled label={form.holder} help={form.holderHint} problems={of('name')}>
          {(control) => (
            <input
              {...control}
              className="input"
              required
              maxLength={100}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Labelled>
        <Labelled label={form.role} problems={of('role')}>
          {(control) => (
            <select
              {...control}
              className="select"
              value={role}
              onChange={(event) => setRole(event.target.value as AdminRole)}
            >
              {Object.entries(form.roles).map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <ExpiryField value={days} problems={of('expiresAt')} onChange={(next) => setDays(next)} />
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
