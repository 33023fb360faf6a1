import { useState } from 'react';
import { useChange } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import {
  MintKeyDocument,
  RevokeKeyDocument,
  RotateKeyDocument,
  type StoredCallerQuery,
} from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { CopyButton } from '../../parts/feedback/copy-button.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Confirm } from '../../parts/form/confirm.js';
import { Modal } from '../../parts/form/modal.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { problemsOf } from './problems-of.js';

type Key = NonNullable<StoredCallerQuery['subject']>['apiKeys']['nodes'][number];

/**
 * Shows the API keys of a caller, with actions to create, replace and revoke them. A secret is
 * shown once and not kept after the page closes.
 */
export function CallerKeys({ who, keys }: { who: { user?: string; tenant?: string }; keys: readonly Key[] }) {
  const may = useMay();
  const [secret, setSecret] = useState<string>();
  const [ending, setEnding] = useState<Key>();
  const [problem, setProblem] = useState<string>();
  const [mint, rotate, revoke] = [
    useChange(MintKeyDocument),
    useChange(RotateKeyDocument),
    useChange(RevokeKeyDocument),
  ];
  async function run(change: () => Promise<object>): Promise<string | undefined> {
    const found = await problemsOf(change);
    setProblem(found);
    return found;
  }

  const actions = ({ id, prefix, revokedAt, ...rest }: Key) =>
    revokedAt ? null : (
      <span className="form-actions">
        <button
          type="button"
          className="button button-small"
          onClick={() =>
            void run(async () => {
              const answer = await rotate.mutateAsync({ input: { id, overlapMs: 86_400_000 } });
              setSecret(answer.apiKeyRotate?.secret ?? undefined);
              return answer;
            })
          }
        >
          Replace
        </button>
        <button
          type="button"
          className="button button-small button-danger"
          onClick={() => setEnding({ id, prefix, revokedAt: null, ...rest })}
        >
          Revoke
        </button>
      </span>
    );
  return (
    <Card
      title="API keys"
      aside={
        may('OPERATOR') && (
          <button
            type="button"
            className="button button-small"
            onClick={() =>
              void run(async () => {
                const answer = await mint.mutateAsync({ input: who });
                setSecret(answer.apiKeyCreate?.secret ?? undefined);
                return answer;
              })
            }
          >
            New key
          </button>
        )
      }
    >
      {problem && !ending && (
        <p className="notice notice-error" role="alert">
          {problem}
        </p>
      )}
      <DataTable
        name="keys"
        rows={keys}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        {...(may('OPERATOR') && { actions })}
        empty={<Empty title="No keys" />}
      />
      {secret && (
        <Modal title="The new key" onClose={() => setSecret(undefined)}>
          <p>
            It is shown this once. Send it in the header x-api-key. A key that it replaces is good for one more day.
          </p>
          <code className="secret">{secret}</code>
          <div className="form-actions">
            <CopyButton text={secret} label="Copy the key" isWide />
            <button type="button" className="button" onClick={() => setSecret(undefined)}>
              Done
            </button>
          </div>
        </Modal>
      )}
      {ending && (
        <Confirm
          title={`Revoke ${ending.prefix}?`}
          action="Revoke"
          isPending={revoke.isPending}
          problem={problem}
          onConfirm={() =>
            void run(() => revoke.mutateAsync({ input: { id: ending.id } })).then(
              (found) => found === undefined && setEnding(undefined),
            )
          }
          onClose={() => {
            setEnding(undefined);
            setProblem(undefined);
          }}
        >
          <p>It is refused everywhere within two seconds, and for ever.</p>
        </Confirm>
      )}
    </Card>
  );
}

const COLUMNS: Column<Key>[] = [
  { title: 'Prefix', value: ({ prefix }) => prefix, show: ({ prefix }) => <Name mono>{prefix}</Name> },
  { title: 'Name', value: ({ name }) => name, show: ({ name }) => <Name>{name}</Name> },
  { title: 'Made', value: ({ createdAt }) => createdAt, show: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: 'Last seen',
    value: ({ lastUsedAt }) => lastUsedAt,
    show: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} relative /> : 'not yet'),
  },
  {
    title: 'State',
    value: ({ revokedAt }) => (revokedAt ? 'revoked' : 'in use'),
    show: ({ revokedAt }) => (
      <span className={revokedAt ? 'pill' : 'pill pill-good'}>{revokedAt ? 'revoked' : 'in use'}</span>
    ),
  },
];
