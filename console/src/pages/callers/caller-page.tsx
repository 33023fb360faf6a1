import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import {
  CallerNowDocument,
  type CallerNowQuery,
  StoredCallerDocument,
  type StoredCallerQuery,
} from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { rate, whole } from '../../parts/text/format.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { CallerActions } from './caller-actions.js';
import { CallerKeys } from './caller-keys.js';
import { CallerHistory, CallerRecords, CallerUsage } from './caller-records.js';

/**
 * Refresh interval of the buckets, in milliseconds. It slightly exceeds the animation of their bars
 * (0.9 s).
 */
const REFILL_MS = 1000;

/** Maximum number of limits that are shown at first. The limits with the least left come first. */
const MOST_LIMITS = 8;

/** Shows the page of one caller: what is left now, the stored data, and the keys. */
export function CallerPage() {
  const [search] = useSearchParams();
  const [user, tenant] = [search.get('user') ?? undefined, search.get('tenant') ?? undefined];
  const [apiKey, ip] = [search.get('apiKey') ?? undefined, search.get('ip') ?? undefined];
  const who = useMemo(
    () => ({ ...(user && { user }), ...(tenant && { tenant }), ...(apiKey && { apiKey }), ...(ip && { ip }) }),
    [user, tenant, apiKey, ip],
  );
  const name = user ?? tenant ?? apiKey ?? ip;
  const canBeStored = user !== undefined || tenant !== undefined;
  const [isWhole, setWhole] = useState(false);
  const about = JSON.stringify(who);
  const asked = { who, mostLimits: isWhole ? null : MOST_LIMITS };
  const now = useAdmin(CallerNowDocument, asked, { everyMs: REFILL_MS, enabled: name !== undefined, about });
  const stored = useAdmin(StoredCallerDocument, who, { enabled: canBeStored, about });
  if (name === undefined) return <Empty title="No caller is named in the address" />;
  const subject = stored.data?.subject;
  return (
    <Page
      title={<Name>{name}</Name>}
      lead={
        user && tenant
          ? `A user of the tenant ${visibleText(tenant)}`
          : user
            ? 'A user'
            : tenant
              ? 'A tenant'
              : 'A caller without a user'
      }
      actions={
        stored.data && canBeStored && now.data?.quota ? (
          <CallerActions
            key={about}
            who={{ ...(user && { user }), ...(tenant && { tenant }) }}
            subject={subject ?? undefined}
            tiers={stored.data.tiers.nodes}
            bucket={subject?.override ?? now.data.quota.tier}
            needed={Number(search.get('raise')) || undefined}
          />
        ) : undefined
      }
    >
      {/* Columns, so that the number of limits does not move the parts below. */}
      <div className="columns">
        <div className="page-parts">
          {canBeStored && (
            <Card title="What they were given" className="card-facts">
              <Load query={stored} rows={2}>
                {() =>
                  subject ? <Given subject={subject} /> : <Empty title="Nothing of their own: the default tier" />
                }
              </Load>
            </Card>
          )}
          <CallerUsage who={who} />
        </div>
        <Card title="What they have left">
          <Load query={now} rows={8}>
            {({ quota }) =>
              quota ? <Buckets quota={quota} onAll={() => setWhole(true)} /> : <Empty title="Nobody of this name" />
            }
          </Load>
        </Card>
      </div>
      {canBeStored && (
        <>
          {stored.data ? (
            <CallerKeys
              key={about}
              who={{ ...(user && { user }), ...(tenant && { tenant }) }}
              keys={subject?.apiKeys.nodes ?? []}
            />
          ) : (
            <Card title="API keys">
              <Load query={stored}>{() => null}</Load>
            </Card>
          )}
          <Card title="Who changed what">
            <Load query={stored}>{() => <CallerHistory changes={subject?.history.nodes ?? []} />}</Load>
          </Card>
        </>
      )}
      <CallerRecords who={who} />
    </Page>
  );
}

function Given({ subject }: { subject: NonNullable<StoredCallerQuery['subject']> }) {
  const { tier, override, disabledAt } = subject;
  return (
    <dl className="facts">
      <dt>Tier</dt>
      <dd>{tier ? <Name>{tier.name}</Name> : 'the default one'}</dd>
      <dt>Own bucket</dt>
      <dd>
        {override
          ? `${whole(override.capacity)} tokens, ${rate(override.refillAmount, override.refillPeriodMs)}`
          : 'none: that of the tier'}
        {override?.expiresAt && (
          <>
            , until <Moment at={override.expiresAt} />
          </>
        )}
      </dd>
      {disabledAt && (
        <>
          <dt>Shut out</dt>
          <dd>
            since <Moment at={disabledAt} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Buckets({ quota, onAll }: { quota: NonNullable<CallerNowQuery['quota']>; onAll(): void }) {
  const { limits, limitCount } = quota;
  return (
    <>
      <div className="buckets">
        {quota.disabled && <span className="pill pill-bad">shut out</span>}
        {limits.map(({ rule, field, scope, limit, remaining, resetAt, pool }) => {
          const left = Math.max(remaining, 0);
          return (
            <div className="bucket" key={`${rule} ${field} ${scope} ${limit} ${pool}`}>
              <div className="bucket-top">
                <Name>{rule}</Name>
                <span>
                  {whole(remaining)} <span className="muted">of {whole(limit)}</span>
                </span>
              </div>
              <progress
                className={left < limit / 10 ? 'meter meter-low' : 'meter'}
                max={limit}
                value={left}
                aria-label={`Left of ${rule}`}
              />
              <span className="muted small">
                {field === '*' ? 'Everything' : field} ·{' '}
                {left >= limit ? (
                  'full'
                ) : (
                  <>
                    full <Moment at={resetAt} relative />
                  </>
                )}
              </span>
            </div>
          );
        })}
      </div>
      {limits.length < limitCount && (
        <p className="card-body">
          <span className="muted">Those with least left. </span>
          <button type="button" className="button button-small" onClick={onAll}>
            All {whole(limitCount)} limits
          </button>
        </p>
      )}
    </>
  );
}
