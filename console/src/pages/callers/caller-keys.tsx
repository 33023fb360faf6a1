import { useState } from 'react';
import { Link } from 'wouter';
import { serverNow } from '../../api/server-clock.js';
import { useChange } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { RevokeKeyDocument, RotateKeyDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { useToast } from '../../parts/feedback/toasts.js';
import { Confirm } from '../../parts/form/confirm.js';
import { SecretOnce } from '../../parts/form/secret-once.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { callerPath } from '../../parts/text/caller-path.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { callersText } from '../../text/callers-text.js';
import { commonText } from '../../text/common-text.js';
import { bucketText } from '../tiers/bucket-text.js';
import { budgetText } from '../tiers/budget-text.js';
import { KeyDialog, type StoredKey } from './key-dialog.js';
import { problemsOf } from './problems-of.js';
import type { StoredName } from './use-caller-changes.js';

const { keys: text, toast } = callersText;
const { column } = commonText;

const OVERLAP_MS = 86_400_000;

/**
 * Shows the API keys of a caller, with actions to create, edit, replace and revoke them. A secret is
 * shown once and not kept after the page closes.
 */
export function CallerKeys({ who, keys }: { who: StoredName; keys: readonly StoredKey[] }) {
  const mayChange = useMay()('OPERATOR');
  const showToast = useToast();
  const [shown, setShown] = useState<StoredKey | 'new'>();
  // A new secret, and the toast to show when its dialog closes. The dialog would hide the toast.
  const [made, setMade] = useState<{ secret: string; message: string }>();
  const [asked, setAsked] = useState<{ key: StoredKey; to: 'replace' | 'revoke' }>();
  const [problem, setProblem] = useState<string>();
  const [rotate, revoke] = [useChange(RotateKeyDocument), useChange(RevokeKeyDocument)];

  const confirmed = async ({ key: { id, prefix }, to }: NonNullable<typeof asked>) => {
    const found = await problemsOf(async () => {
      if (to === 'revoke') return revoke.mutateAsync({ input: { id } });
      const answer = await rotate.mutateAsync({ input: { id, overlapMs: OVERLAP_MS } });
      const { secret } = answer.apiKeyRotate ?? {};
      if (secret) setMade({ secret, message: toast.keyReplaced(prefix) });
      return answer;
    });
    setProblem(found);
    if (found !== undefined) return;
    setAsked(undefined);
    if (to === 'revoke') showToast({ text: toast.keyRevoked(prefix) });
  };
  const ask = (key: StoredKey, to: 'replace' | 'revoke') => {
    setProblem(undefined);
    setAsked({ key, to });
  };
  const actions = (key: StoredKey) =>
    stateOf(key) === 'active' ? (
      <span className="form-actions">
        <button type="button" className="button button-small" onClick={() => setShown(key)}>
          {commonText.edit}
        </button>
        <button type="button" className="button button-small" onClick={() => ask(key, 'replace')}>
          {text.replace}
        </button>
        <button type="button" className="button button-small button-danger" onClick={() => ask(key, 'revoke')}>
          {commonText.revoke}
        </button>
      </span>
    ) : null;
  return (
    <Card
      title={text.title}
      aside={
        mayChange && (
          <button type="button" className="button button-small" onClick={() => setShown('new')}>
            {text.create}
          </button>
        )
      }
    >
      <DataTable
        name="keys"
        rows={keys}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        {...(mayChange && { actions })}
        empty={<Empty title={text.empty}>{text.emptyHint}</Empty>}
      />
      {shown && (
        <KeyDialog
          who={who}
          {...(shown !== 'new' && { stored: shown })}
          onClose={() => setShown(undefined)}
          onSaved={(prefix, secret) => {
            setShown(undefined);
            if (secret === undefined) showToast({ text: toast.keyChanged(prefix) });
            else setMade({ secret, message: toast.keyCreated(prefix) });
          }}
        />
      )}
      {made && (
        <SecretOnce
          title={text.secretTitle}
          hint={text.secretHint}
          secret={made.secret}
          copyLabel={text.copy}
          onClose={() => {
            setMade(undefined);
            showToast({ text: made.message });
          }}
        />
      )}
      {asked && (
        <Confirm
          title={(asked.to === 'revoke' ? text.revokeTitle : text.replaceTitle)(asked.key.prefix)}
          action={asked.to === 'revoke' ? commonText.revoke : text.replace}
          isDangerous={asked.to === 'revoke'}
          isPending={rotate.isPending || revoke.isPending}
          problem={problem}
          onConfirm={() => void confirmed(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked.to === 'revoke' ? text.revokeText : text.replaceText}</p>
        </Confirm>
      )}
    </Card>
  );
}

function keyBudgetText(budget: NonNullable<StoredKey['budget']>): string {
  return budget.calendar ? budgetText(budget.calendar) : bucketText(budget);
}

/** Shows the prefix of a key, with a link to the page of its remaining budget while the key is valid. */
function Prefix({ of: key }: { of: StoredKey }) {
  const name = <Name mono>{key.prefix}</Name>;
  const path = callerPath({ apiKey: key.prefix });
  return stateOf(key) === 'active' && path ? <Link href={path}>{name}</Link> : name;
}

function stateOf({ revokedAt, expiresAt }: StoredKey): 'active' | 'expired' | 'revoked' {
  if (revokedAt) return 'revoked';
  return expiresAt && Date.parse(expiresAt) <= serverNow() ? 'expired' : 'active';
}

const COLUMNS: Column<StoredKey>[] = [
  { title: text.prefix, value: ({ prefix }) => prefix, show: (key) => <Prefix of={key} /> },
  { title: column.name, value: ({ name }) => name, show: ({ name }) => <Name>{name}</Name> },
  { title: text.kindLabel, value: ({ kind }) => text.kind[kind] },
  {
    title: text.budget,
    value: ({ budget }) => budget?.calendar?.amount ?? budget?.capacity ?? null,
    show: ({ budget }) => (budget ? keyBudgetText(budget) : text.noBudget),
  },
  {
    title: text.fields,
    value: ({ fields }) => fields?.join(', ') ?? null,
    show: ({ fields }) => (fields ? <Name mono>{fields.join(', ')}</Name> : text.allFields),
  },
  { title: column.created, value: ({ createdAt }) => createdAt, show: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: column.lastUsed,
    value: ({ lastUsedAt }) => lastUsedAt,
    show: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} relative /> : text.never),
  },
  {
    title: text.expires,
    value: ({ expiresAt }) => expiresAt,
    show: ({ expiresAt }) => (expiresAt ? <Moment at={expiresAt} relative /> : text.never),
  },
  {
    title: column.state,
    value: (key) => text[stateOf(key)],
    show: (key) => <span className={stateOf(key) === 'active' ? 'pill pill-good' : 'pill'}>{text[stateOf(key)]}</span>,
  },
];
