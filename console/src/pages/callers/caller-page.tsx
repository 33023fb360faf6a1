import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { CallerNowDocument, type CallerNowQuery, StoredCallerDocument } from '../../generated/graphql.js';
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
import { CallerHistory, CallerRecords } from './caller-records.js';

/** A bucket is looked at as often as its bar takes to move. */
const REFILL_MS = 1000;

type LimitNow = NonNullable<CallerNowQuery['quota']>['limits'][number];

const MOST_LIMITS = 24;

/** One caller: what they have left this second, what they were given, and their keys. */
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
  const now = useAdmin(CallerNowDocument, { who }, { everyMs: REFILL_MS, enabled: name !== undefined });
  const stored = useAdmin(StoredCallerDocument, who, { enabled: canBeStored });
  if (name === undefined) return <Empty title="No caller is named in the address" />;
  const subject = stored.data?.subject;
  // Until it is known what stands above them, what is below would move.
  const isPlaced = !now.isPending && !(canBeStored && stored.isPending);
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
            key={name}
            who={{ ...(user && { user }), ...(tenant && { tenant }) }}
            subject={subject ?? undefined}
            tiers={stored.data.tiers.nodes}
            bucket={subject?.override ?? now.data.quota.tier}
            needed={Number(search.get('raise')) || undefined}
          />
        ) : undefined
      }
    >
      <Card title="What they have left">
        <Load query={now} rows={8}>
          {({ quota }) => (quota ? <Buckets quota={quota} /> : <Empty title="Nobody of this name" />)}
        </Load>
      </Card>
      <div className="page-parts" hidden={!isPlaced}>
        {subject && (
          <>
            <Card title="What they were given">
              <dl className="facts">
                <dt>Tier</dt>
                <dd>{subject.tier ? <Name>{subject.tier.name}</Name> : 'the default one'}</dd>
                <dt>Own bucket</dt>
                <dd>
                  {subject.override
                    ? `${whole(subject.override.capacity)} tokens, ${rate(subject.override.refillAmount, subject.override.refillPeriodMs)}`
                    : 'none: that of the tier'}
                  {subject.override?.expiresAt && (
                    <>
                      , until <Moment at={subject.override.expiresAt} />
                    </>
                  )}
                </dd>
                {subject.disabledAt && (
                  <>
                    <dt>Shut out</dt>
                    <dd>
                      since <Moment at={subject.disabledAt} />
                    </dd>
                  </>
                )}
              </dl>
            </Card>
            <CallerKeys who={{ ...(user && { user }), ...(tenant && { tenant }) }} keys={subject.apiKeys.nodes} />
            <CallerHistory who={{ ...(user && { user }), ...(tenant && { tenant }) }} />
          </>
        )}
        <CallerRecords who={who} />
      </div>
    </Page>
  );
}

function Buckets({ quota }: { quota: NonNullable<CallerNowQuery['quota']> }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? quota.limits : fewestLeft(quota.limits);
  return (
    <>
      <div className="buckets">
        {quota.disabled && <span className="pill pill-bad">shut out</span>}
        {shown.map(({ rule, field, scope, limit, remaining, resetAt, pool }) => {
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
      {shown.length < quota.limits.length && (
        <p className="card-body">
          <button type="button" className="button button-small" onClick={() => setWhole(true)}>
            All {whole(quota.limits.length)} limits
          </button>
        </p>
      )}
    </>
  );
}

/** Where there are very many limits, those of which least is left, in the order in which they come. */
function fewestLeft(limits: readonly LimitNow[]): readonly LimitNow[] {
  if (limits.length <= MOST_LIMITS) return limits;
  const share = ({ remaining, limit }: LimitNow) => remaining / limit;
  const fewest = new Set(limits.toSorted((a, b) => share(a) - share(b)).slice(0, MOST_LIMITS));
  return limits.filter((one) => fewest.has(one));
}
