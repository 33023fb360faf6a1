import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { here } from '../../api/here.js';
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
import { EmptyPage } from '../../parts/feedback/empty-page.js';
import { Load } from '../../parts/feedback/load.js';
import { useToast } from '../../parts/feedback/toasts.js';
import { Confirm } from '../../parts/form/confirm.js';
import { SecretOnce } from '../../parts/form/secret-once.js';
import { Page } from '../../parts/page.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { shellText } from '../../text/shell-text.js';
import { tokensText } from '../../text/tokens-text.js';
import { problemsOf } from '../callers/problems-of.js';
import { NewToken } from './new-token.js';
import { SessionsCard } from './sessions-card.js';
import { isGood, type TokenState, tokenState } from './token-state.js';

const { action, confirm, list, secret: secretText } = tokensText;
const { column } = commonText;

type Token = AdminTokensQuery['adminTokens']['nodes'][number];

const OVERLAP_MS = 86_400_000;

/**
 * Shows the page of the tokens of administrators, with actions to create, replace and revoke them.
 * A secret is shown once. For admins only.
 */
export function TokensPage() {
  const { role } = useSession();
  if (role !== 'ADMIN') {
    return (
      <EmptyPage title={tokensText.adminsOnly} href="/" link={shellText.notFound.toOverview}>
        {tokensText.adminsOnlyHint}
      </EmptyPage>
    );
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
  const showToast = useToast();

  const confirmed = async ({ token: { id, name }, to }: NonNullable<typeof asked>) => {
    const found = await problemsOf(async () => {
      if (to === 'revoke') return revoke.mutateAsync({ input: { id } });
      const answer = await rotate.mutateAsync({ input: { id, overlapMs: OVERLAP_MS } });
      setSecret(answer.adminTokenRotate?.secret ?? undefined);
      return answer;
    });
    setProblem(found);
    if (found !== undefined) return;
    setAsked(undefined);
    if (to === 'revoke') showToast({ text: tokensText.toast.revoked(visibleText(name, 40)) });
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
            {action.replace}
          </button>
        )}
        <button type="button" className="button button-small button-danger" onClick={() => ask(token, 'revoke')}>
          {commonText.revoke}
        </button>
      </span>
    );

  return (
    <Page
      title={tokensText.title}
      lead={tokensText.lead}
      actions={
        mayChange && (
          <button type="button" className="button button-primary" onClick={() => setMaking(true)}>
            {action.create}
          </button>
        )
      }
    >
      <Card title={list.title}>
        <Load query={query} rows={5}>
          {({ adminTokens }) => (
            <DataTable
              name="admin-tokens"
              rows={adminTokens.nodes}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              next={adminTokens.pageInfo.hasNextPage ? (adminTokens.pageInfo.endCursor ?? null) : null}
              {...(mayChange && { actions })}
              empty={<Empty title={list.empty}>{list.emptyHint}</Empty>}
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
      {secret && (
        <SecretOnce
          title={secretText.title}
          hint={secretText.hint}
          secret={secret}
          copyLabel={secretText.copy}
          command={commandWith(secret)}
          onClose={() => setSecret(undefined)}
        />
      )}
      {asked && (
        <Confirm
          title={(asked.to === 'revoke' ? confirm.revokeTitle : confirm.replaceTitle)(
            visibleText(asked.token.name, 40),
          )}
          action={asked.to === 'revoke' ? commonText.revoke : action.replace}
          isDangerous={asked.to === 'revoke'}
          isPending={rotate.isPending || revoke.isPending}
          problem={problem}
          onConfirm={() => void confirmed(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked.to === 'revoke' ? confirm.revokeText : confirm.replaceText}</p>
          {asked.to === 'revoke' && asked.token.name === self && (
            <p className="notice notice-warn">{confirm.ownToken}</p>
          )}
        </Confirm>
      )}
    </Page>
  );
}

/** Returns a command that sends a request to the admin API with a token. */
function commandWith(token: string): string {
  return `curl -s ${window.location.origin}${here.graphql} -H 'authorization: Bearer ${token}' -H 'content-type: application/json' -d '{"query":"{ viewer { name role } }"}'`;
}

const TONES: Record<TokenState, string> = {
  active: 'pill pill-good',
  replaced: 'pill pill-warn',
  expired: 'pill',
  revoked: 'pill',
};

const COLUMNS: Column<Token>[] = [
  { title: list.holder, value: ({ name }) => name, show: ({ name }) => <Name>{name}</Name> },
  { title: column.role, value: ({ role }) => role, show: ({ role }) => commonText.roles[role] },
  {
    title: column.state,
    value: (token) => tokenState(token),
    show: (token) => <span className={TONES[tokenState(token)]}>{list.states[tokenState(token)]}</span>,
  },
  { title: column.created, value: ({ createdAt }) => createdAt, show: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: list.expires,
    value: ({ revokedAt, expiresAt }) => revokedAt ?? expiresAt,
    show: ({ revokedAt, expiresAt }) => {
      const end = revokedAt ?? expiresAt;
      return end ? <Moment at={end} relative={!revokedAt} /> : list.never;
    },
  },
];
