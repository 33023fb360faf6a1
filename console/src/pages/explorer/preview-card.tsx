import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { PreviewDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { duration, whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { explorerText } from '../../text/explorer-text.js';

const { preview: text } = explorerText;

export interface PreviewCardProps {
  operation: { query: string; variables: Readonly<Record<string, unknown>> };
}

/**
 * Shows the preview of the decision on an operation of a caller now, with the limits that apply.
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
                <div className="table-scroll">
                  <table className="table">
                    <thead>
                      <tr>
                        <th scope="col">{text.limit}</th>
                        <th scope="col" className="number">
                          {text.cost}
                        </th>
                        <th scope="col" className="number">
                          {text.remaining}
                        </th>
                        <th scope="col" className="number">
                          {text.maximum}
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {preview.limits.map((limit) => (
                        <tr key={`${limit.rule} ${limit.field} ${limit.resetAt}`}>
                          <td>
                            <Name>{limit.rule}</Name>{' '}
                            {limit.wouldDeny && (
                              <span className={`pill ${limit.mode === 'SHADOW' ? 'pill-warn' : 'pill-bad'}`}>
                                {limit.mode === 'SHADOW' ? text.wouldDeny : text.denies}
                              </span>
                            )}
                          </td>
                          <td className="number">{whole(limit.cost)}</td>
                          <td className="number">{whole(limit.remaining)}</td>
                          <td className="number">{whole(limit.limit)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
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
