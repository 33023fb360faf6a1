import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { PreviewDocument } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { duration, whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';

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
    <Card title="As a caller">
      <label className="field card-body">
        <span className="field-label">User</span>
        <input
          className="input"
          value={user}
          placeholder="The id of a user"
          onChange={(event) => setUser(event.target.value)}
        />
      </label>
      {as === '' ? (
        <Empty title="No caller yet">Name a user to see the limits that would decide, with what is left of them.</Empty>
      ) : (
        <Load query={query} rows={3}>
          {({ chargePreview: { preview, userErrors } }) =>
            preview ? (
              <>
                <p className="card-body">
                  On tier <Name>{preview.tier}</Name>:{' '}
                  {preview.verdict === 'ADMITTED' ? (
                    <span className="pill pill-good">admitted</span>
                  ) : (
                    <>
                      <span className="pill pill-bad">{preview.verdict.toLowerCase().replaceAll('_', ' ')}</span>
                      {preview.deniedBy && (
                        <>
                          {' by '}
                          <Name>{preview.deniedBy}</Name>
                        </>
                      )}
                      {preview.retryAfterMs ? `, for another ${duration(preview.retryAfterMs)}` : ''}
                    </>
                  )}
                </p>
                <div className="table-scroll">
                  <table className="table">
                    <thead>
                      <tr>
                        <th scope="col">Limit</th>
                        <th scope="col" className="number">
                          Needs
                        </th>
                        <th scope="col" className="number">
                          Left
                        </th>
                        <th scope="col" className="number">
                          Of
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
                                {limit.mode === 'SHADOW' ? 'would deny, in shadow' : 'denies'}
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
