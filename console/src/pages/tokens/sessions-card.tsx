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
import { problemsOf } from '../callers/problems-of.js';

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
      Log out
    </button>
  );

  return (
    <Card title="Browsers that are logged in">
      <Load query={query} rows={3}>
        {({ consoleSessions }) => (
          <DataTable
            name="console-sessions"
            rows={consoleSessions.nodes}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            {...(mayChange && { actions })}
            empty={
              <Empty title="Nobody is logged in">Who sees this page was let in by the server that it stands in.</Empty>
            }
          />
        )}
      </Load>
      {asked && (
        <Confirm
          title={`Log out a browser of ${visibleText(asked.name, 40)}?`}
          action="Log out"
          isDangerous
          isPending={end.isPending}
          problem={problem}
          onConfirm={() => void confirmed(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>It has to log in again. Its token stays good: revoke that to keep its holder out.</p>
          <p>It may be the browser that you sit before.</p>
        </Confirm>
      )}
    </Card>
  );
}

const COLUMNS: Column<Session>[] = [
  { title: 'Token of', value: ({ name }) => name, show: ({ name }) => <Name>{name}</Name> },
  { title: 'Role', value: ({ role }) => role, show: ({ role }) => role.toLowerCase() },
  { title: 'Logged in', value: ({ openedAt }) => openedAt, show: ({ openedAt }) => <Moment at={openedAt} /> },
  { title: 'Used last', value: ({ usedAt }) => usedAt, show: ({ usedAt }) => <Moment at={usedAt} relative /> },
];
