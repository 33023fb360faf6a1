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
import { callersText } from '../../text/callers-text.js';
import { commonText } from '../../text/common-text.js';
import { problemsOf } from './problems-of.js';

const { keys: text } = callersText;
const { column } = commonText;

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
          {text.replace}
        </button>
        <button
          type="button"
          className="button button-small button-danger"
          onClick={() => setEnding({ id, prefix, revokedAt: null, ...rest })}
        >
          {commonText.revoke}
        </button>
      </span>
    );
  return (
    <Card
      title={text.title}
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
            {text.create}
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
        empty={<Empty title={text.empty} />}
      />
      {secret && (
        <Modal title={text.secretTitle} onClose={() => setSecret(undefined)}>
          <p>{text.secretHint}</p>
          <code className="secret">{secret}</code>
          <div className="form-actions">
            <CopyButton text={secret} label={text.copy} isWide />
            <button type="button" className="button" onClick={() => setSecret(undefined)}>
              {commonText.done}
            </button>
          </div>
        </Modal>
      )}
      {ending && (
        <Confirm
          title={text.revokeTitle(ending.prefix)}
          action={commonText.revoke}
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
          <p>{text.revokeText}</p>
        </Confirm>
      )}
    </Card>
  );
}

const COLUMNS: Column<Key>[] = [
  { title: text.prefix, value: ({ prefix }) => prefix, show: ({ prefix }) => <Name mono>{prefix}</Name> },
  { title: column.name, value: ({ name }) => name, show: ({ name }) => <Name>{name}</Name> },
  { title: column.created, value: ({ createdAt }) => createdAt, show: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: column.lastUsed,
    value: ({ lastUsedAt }) => lastUsedAt,
    show: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} relative /> : text.neverUsed),
  },
  {
    title: column.state,
    value: ({ revokedAt }) => (revokedAt ? text.revoked : text.active),
    show: ({ revokedAt }) => (
      <span className={revokedAt ? 'pill' : 'pill pill-good'}>{revokedAt ? text.revoked : text.active}</span>
    ),
  },
];
