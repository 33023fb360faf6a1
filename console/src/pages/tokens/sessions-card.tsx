import { useState } from 'react';
import { useAdmin, useChange } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import {
  ConsoleSessionsDocument,
  type ConsoleSessionsQuery,
  EndConsoleSessionDocument,
} from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { Confirm } from '../../parts/form/confirm.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { tokensText } from '../../text/tokens-text.js';
import { problemsOf } from '../callers/problems-of.js';

const { sessions } = tokensText;

type Session = ConsoleSessionsQuery['consoleSessions']['nodes'][number];

/**
 * Shows the list of the browsers that are logged in to the console. An admin can log out each of
 * them.
 */
export function SessionsCard() {
  const mayChange = useMay()('ADMIN');
  const query = useAdmin(ConsoleSessionsDocument, {});
  const [asked, setAsked] = useState<Session>();
  const [problem, setProblem] = useState<string>();
  const end = useChange(EndConsoleSessionDocument);

  const confirmed = async ({ id }: Session) => {
    const found = await problemsOf(() => end.mutateAsync({ input: { id } }));
    setProblem(found);
    if (found === undefined) setAsked(undefined);
  };
  const actions = (session: Session) => (
    <button
      type="button"
      className="button button-small button-danger"
      onClick={() => {
        setProblem(undefined);
        setAsked(session);
      }}
    >
      {sessions.logOut}
    </button>
  );

  return (
    <Card title={sessions.title}>
      <Load query={query} rows={3}>
        {({ consoleSessions }) => (
          <DataTable
            name="console-sessions"
            rows={consoleSessions.nodes}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            {...(mayChange && { actions })}
            empty={<Empty title={sessions.empty}>{sessions.emptyHint}</Empty>}
          />
        )}
      </Load>
      {asked && (
        <Confirm
          title={sessions.confirmTitle(visibleText(asked.name, 40))}
          action={sessions.logOut}
          isDangerous
          isPending={end.isPending}
          problem={problem}
          onConfirm={() => void confirmed(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{sessions.confirmText}</p>
          <p>{sessions.ownSession}</p>
        </Confirm>
      )}
    </Card>
  );
}

const COLUMNS: Column<Session>[] = [
  { title: sessions.holder, value: ({ name }) => name, show: ({ name }) => <Name>{name}</Name> },
  { title: commonText.column.role, value: ({ role }) => role, show: ({ role }) => commonText.roles[role] },
  { title: sessions.loggedIn, value: ({ openedAt }) => openedAt, show: ({ openedAt }) => <Moment at={openedAt} /> },
  { title: sessions.lastUsed, value: ({ usedAt }) => usedAt, show: ({ usedAt }) => <Moment at={usedAt} relative /> },
];
