import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { PreviewDocument, type PreviewQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { type StaticColumn, StaticTable } from '../../parts/table/static-table.js';
import { duration, whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { explorerText } from '../../text/explorer-text.js';

const { preview: text } = explorerText;

export interface PreviewCardProps {
  operation: { query: string; variables: Readonly<Record<string, unknown>> };
}

/**
 * Shows the decision that an operation of a caller would get now, with the limits that apply.
 * Nothing is charged.
 */
export function PreviewCard({ operation }: PreviewCardProps) {
  const [search] = useSearchParams();
  const [user, setUser] = useState(search.get('user') ?? '');
  const as = user.trim();
  const query = useAdmin(PreviewDocument, { input: { ...operation, as: { user: as } } }, { enabled: as !== '' });
  return (
    <Card title={text.title}>
      <label className="field card-body">
        <span className="field-label">{text.user}</span>
        <input
          className="input"
          value={user}
          placeholder={text.userPlaceholder}
          onChange={(event) => setUser(event.target.value)}
        />
      </label>
      {as === '' ? (
        <Empty title={text.empty}>{text.emptyHint}</Empty>
      ) : (
        <Load query={query} rows={3}>
          {({ chargePreview: { preview, userErrors } }) =>
            preview ? (
              <>
                <p className="card-body">
                  {text.tier} <Name>{preview.tier}</Name>:{' '}
                  {preview.verdict === 'ADMITTED' ? (
                    <span className="pill pill-good">{text.verdict.ADMITTED}</span>
                  ) : (
                    <>
                      <span className="pill pill-bad">{text.verdict[preview.verdict]}</span>
                      {preview.deniedBy && (
                        <>
                          {' '}
                          {text.deniedBy} <Name>{preview.deniedBy}</Name>
                        </>
                      )}
                      {preview.retryAfterMs ? `, ${text.retryAfter(duration(preview.retryAfterMs))}` : ''}
                    </>
                  )}
                </p>
                <StaticTable
                  label={text.limits}
                  rows={preview.limits}
                  columns={COLUMNS}
                  keyOf={({ rule, field, resetAt }) => `${rule} ${field} ${resetAt}`}
                />
              </>
            ) : (
              <p className="card-body field-problem" role="alert">
                {userErrors.map(({ message }) => message).join('; ')}
              </p>
            )
          }
        </Load>
      )}
    </Card>
  );
}

type Limit = NonNullable<PreviewQuery['chargePreview']['preview']>['limits'][number];

const COLUMNS: readonly StaticColumn<Limit>[] = [
  {
    title: text.limit,
    show: ({ rule, wouldDeny, mode }) => (
      <>
        <Name>{rule}</Name>{' '}
        {wouldDeny && (
          <span className={`pill ${mode === 'SHADOW' ? 'pill-warn' : 'pill-bad'}`}>
            {mode === 'SHADOW' ? text.wouldDeny : text.denies}
          </span>
        )}
      </>
    ),
  },
  { title: text.cost, isNumber: true, show: ({ cost }) => whole(cost) },
  { title: text.remaining, isNumber: true, show: ({ remaining }) => whole(remaining) },
  {
    title: text.maximum,
    isNumber: true,
    show: ({ limit, wholeLimit, region }) =>
      region ? text.inRegion(whole(limit), visibleText(region), whole(wholeLimit)) : whole(limit),
  },
];
