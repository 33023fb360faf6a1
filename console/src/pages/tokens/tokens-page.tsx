import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAdmin, useChange } from '../../api/use-admin.js';
import { useMay, useSession } from '../../app/login/session-context.js';
import {
  AdminTokensDocument,
  type AdminTokensQuery,
  RevokeAdminTokenDocument,
  RotateAdminTokenDocument,
} from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { Confirm } from '../../parts/form/confirm.js';
import { Page } from '../../parts/page.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { problemsOf } from '../callers/problems-of.js';
import { NewToken } from './new-token.js';
import { SecretOnce } from './secret-once.js';
import { SessionsCard } from './sessions-card.js';
import { isGood, type TokenState, tokenState } from './token-state.js';

type Token = AdminTokensQuery['adminTokens']['nodes'][number];

const OVERLAP_MS = 86_400_000;

/**
 * Shows the page of the tokens of administrators, with actions to create, replace and revoke them.
 * A secret is shown once. For admins only.
 */
export function TokensPage() {
  const { role } = useSession();
  if (role !== 'ADMIN') {
    return <Empty title="Tokens are for admins">Your role may look at everything else.</Empty>;
  }
  return <Tokens />;
}

function Tokens() {
  const [search] = useSearchParams();
  const mayChange = useMay()('ADMIN');
  const { name: self } = useSession();
  const query = useAdmin(AdminTokensDocument, { after: search.get('after') });
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [asked, setAsked] = useState<{ token: Token; to: 'replace' | 'revoke' }>();
  const [problem, setProblem] = useState<string>();
  const rotate = useChange(RotateAdminTokenDocument);
  const revoke = useChange(RevokeAdminTokenDocument);

  const confirmed = async ({ token: { id }, to }: NonNullable<typeof asked>) => {
    const found = await problemsOf(async () => {
      if (to === 'revoke') return revoke.mutateAsync({ input: { id } });
      const answer = await rotate.mutateAsync({ input: { id, overlapMs: OVERLAP_MS } });
      setSecret(answer.adminTokenRotate?.secret ?? undefined);
      return answer;
    });
    setProblem(found);
    if (found === undefined) setAsked(undefined);
  };
  const ask = (token: Token, to: 'replace' | 'revoke') => {
    setProblem(undefined);
    setAsked({ token, to });
  };
  const actions = (token: Token) =>
    isGood(token) && (
      <span className="form-actions">
        {!token.replacedAt && (
          <button type="button" className="button button-small" onClick={() => ask(token, 'replace')}>
            Replace
          </button>
        )}
        <button type="button" className="button button-small button-danger" onClick={() => ask(token, 'revoke')}>
          Revoke
        </button>
      </span>
    );

  return (
    <Page
      title="Admin tokens"
      lead="Who may look and who may change, here and over the admin API. The token of TOLLGATE_ADMIN_TOKEN is not among them."
      actions={
        mayChange && (
          <button type="button" className="button button-primary" onClick={() => setMaking(true)}>
            New token
          </button>
        )
      }
    >
      <Card title="Oldest first">
        <Load query={query} rows={5}>
          {({ adminTokens }) => (
            <DataTable
              name="admin-tokens"
              rows={adminTokens.nodes}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              next={adminTokens.pageInfo.hasNextPage ? (adminTokens.pageInfo.endCursor ?? null) : null}
              {...(mayChange && { actions })}
              empty={
                <Empty title="No token was made">
                  All who use TOLLGATE_ADMIN_TOKEN stand in the history under one name: give each of them a token of
                  their own, with no larger role than they need.
                </Empty>
              }
            />
          )}
        </Load>
      </Card>
      <SessionsCard />
      {isMaking && (
        <NewToken
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false);
            setSecret(made);
          }}
        />
      )}
      {secret && <SecretOnce secret={secret} onClose={() => setSecret(undefined)} />}
      {asked && (
        <Confirm
          title={`${asked.to === 'revoke' ? 'Revoke' : 'Replace'} the token of ${visibleText(asked.token.name, 40)}?`}
          action={asked.to === 'revoke' ? 'Revoke' : 'Replace'}
          isDangerous={asked.to === 'revoke'}
          isPending={rotate.isPending || revoke.isPending}
          problem={problem}
          onConfirm={() => void confirmed(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {asked.to === 'revoke'
              ? 'It is refused from now on and for ever, and what was opened with it in a browser ends.'
              : 'You are shown a new one of the same name and role. The old one is good for one more day.'}
          </p>
          {asked.to === 'revoke' && asked.token.name === self && (
            <p className="notice notice-warn">It has your name: if you came in with it, you are logged out by this.</p>
          )}
        </Confirm>
      )}
    </Page>
  );
}

const TONES: Record<TokenState, string> = {
  'in use': 'pill pill-good',
  replaced: 'pill pill-warn',
  expired: 'pill',
  revoked: 'pill',
};

const COLUMNS: Column<Token>[] = [
  { title: 'Holder', value: ({ name }) => name, show: ({ name }) => <Name>{name}</Name> },
  { title: 'Role', value: ({ role }) => role, show: ({ role }) => role.toLowerCase() },
  {
    title: 'State',
    value: (token) => tokenState(token),
    show: (token) => <span className={TONES[tokenState(token)]}>{tokenState(token)}</span>,
  },
  { title: 'Made', value: ({ createdAt }) => createdAt, show: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: 'Good until',
    value: ({ revokedAt, expiresAt }) => revokedAt ?? expiresAt,
    show: ({ revokedAt, expiresAt }) => {
      const end = revokedAt ?? expiresAt;
      return end ? <Moment at={end} relative={!revokedAt} /> : 'it is revoked';
    },
  },
];
