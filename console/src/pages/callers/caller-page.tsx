import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { CallerNowQuery, StoredCallerQuery, TierBucketFragment } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { EmptyPage } from '../../parts/feedback/empty-page.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { whole } from '../../parts/text/format.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { calendarText } from '../../text/calendar-text.js';
import { callersText } from '../../text/callers-text.js';
import { shellText } from '../../text/shell-text.js';
import { OpenStreams } from '../operations/open-streams.js';
import { bucketText } from '../tiers/bucket-text.js';
import { CallerActions } from './caller-actions.js';
import { CallerKeys } from './caller-keys.js';
import { CallerHistory, CallerRecords, CallerUsage } from './caller-records.js';
import { type CallerInAddress, useCaller } from './use-caller.js';

const { absent, allowance, kind, quota: quotaText } = callersText;

/** Number of limits shown at first. The limits with the smallest remaining part come first. */
const MOST_LIMITS = 8;

/**
 * Shows the page of one caller: the remaining quota, the stored data, and the keys. If the caller
 * does not exist, the page only offers to create the caller.
 */
export function CallerPage() {
  const [search] = useSearchParams();
  const [user, tenant] = [search.get('user') ?? undefined, search.get('tenant') ?? undefined];
  const [apiKey, ip] = [search.get('apiKey') ?? undefined, search.get('ip') ?? undefined];
  const who = useMemo(
    () => ({ ...(user && { user }), ...(tenant && { tenant }), ...(apiKey && { apiKey }), ...(ip && { ip }) }),
    [user, tenant, apiKey, ip],
  );
  const name = user ?? tenant ?? apiKey ?? ip;
  const [isWhole, setWhole] = useState(false);
  const caller = useCaller(who, isWhole ? null : MOST_LIMITS);
  const { now, stored, canBeStored, isAbsent, isKnown } = caller;
  if (name === undefined) {
    return (
      <EmptyPage title={callersText.unnamed} href="/callers" link={shellText.goTo(shellText.pages.callers)}>
        {callersText.unnamedHint}
      </EmptyPage>
    );
  }
  const quota = now.data?.quota;
  return (
    <Page
      title={<Name>{name}</Name>}
      lead={
        user && tenant ? kind.userOfTenant(visibleText(tenant)) : user ? kind.user : tenant ? kind.tenant : kind.other
      }
      actions={
        stored.data && canBeStored && quota && (isKnown || isAbsent) ? (
          <CallerActions
            key={JSON.stringify(who)}
            who={{ ...(user && { user }), ...(tenant && { tenant }) }}
            subject={stored.data.subject ?? undefined}
            tiers={stored.data.tiers.nodes}
            inherited={inheritedTier(stored.data, quota.tier)}
            bucket={stored.data.subject?.override ?? quota.tier}
            needed={Number(search.get('raise')) || undefined}
            isKnown={isKnown}
          />
        ) : undefined
      }
    >
      {isAbsent ? (
        <Empty title={absent.title}>{absent.hint}</Empty>
      ) : (
        <Parts who={who} caller={caller} onAllLimits={() => setWhole(true)} />
      )}
    </Page>
  );
}

/** Returns the tier of a caller without an assigned tier: its tenant's tier or the default tier. */
function inheritedTier({ tenantAsWhole, tiers }: StoredCallerQuery, current: TierBucketFragment) {
  const ofTenant = tenantAsWhole?.tier;
  const standard = tiers.nodes.find(({ isDefault }) => isDefault) ?? current;
  return { tier: ofTenant ?? standard, isOfTenant: Boolean(ofTenant) };
}

interface PartsProps {
  who: CallerInAddress;
  caller: ReturnType<typeof useCaller>;
  onAllLimits(): void;
}

function Parts({ who, caller: { now, stored, canBeStored }, onAllLimits }: PartsProps) {
  const subject = stored.data?.subject;
  const { user, tenant } = who;
  return (
    <>
      {/* The limits have their own column, so that their number does not move other parts. */}
      <div className="columns">
        <div className="page-parts">
          {canBeStored && (
            <Card title={allowance.title} className="card-facts">
              <Load query={stored} rows={2}>
                {() =>
                  subject ? (
                    <Allowance subject={subject} anchorOfTenant={stored.data?.tenantAsWhole?.billingAnchor} />
                  ) : (
                    <Empty title={allowance.none}>{allowance.noneHint}</Empty>
                  )
                }
              </Load>
            </Card>
          )}
          <CallerUsage who={who} />
        </div>
        <Card title={quotaText.title}>
          <Load query={now} rows={8}>
            {({ quota }) =>
              quota ? (
                <Buckets quota={quota} onAll={onAllLimits} />
              ) : (
                <Empty title={quotaText.noCaller}>{quotaText.noCallerHint}</Empty>
              )
            }
          </Load>
        </Card>
      </div>
      {canBeStored && (
        <>
          {stored.data ? (
            <CallerKeys
              key={JSON.stringify(who)}
              who={{ ...(user && { user }), ...(tenant && { tenant }) }}
              keys={subject?.apiKeys.nodes ?? []}
            />
          ) : (
            <Card title={callersText.keys.title}>
              <Load query={stored}>{() => null}</Load>
            </Card>
          )}
          <Card title={callersText.history.title}>
            <Load query={stored}>{() => <CallerHistory changes={subject?.history.nodes ?? []} />}</Load>
          </Card>
        </>
      )}
      <OpenStreams key={JSON.stringify(who)} who={who} />
      <CallerRecords who={who} />
    </>
  );
}

interface AllowanceProps {
  subject: NonNullable<StoredCallerQuery['subject']>;
  anchorOfTenant: string | null | undefined;
}

function Allowance({ subject, anchorOfTenant }: AllowanceProps) {
  const { tier, override, billingAnchor, disabledAt } = subject;
  return (
    <dl className="facts">
      <dt>{allowance.tier}</dt>
      <dd>{tier ? <Name>{tier.name}</Name> : allowance.defaultTier}</dd>
      <dt>{allowance.customLimit}</dt>
      <dd>{override ? bucketText(override) : allowance.noCustomLimit}</dd>
      {override?.expiresAt && (
        <>
          <dt>{allowance.expires}</dt>
          <dd>
            <Moment at={override.expiresAt} />
          </dd>
        </>
      )}
      <dt>{allowance.billingAnchor}</dt>
      <dd>{anchorOfTenant ? allowance.ofTenant(anchorOfTenant) : (billingAnchor ?? allowance.noBillingAnchor)}</dd>
      {disabledAt && (
        <>
          <dt>{allowance.blockedSince}</dt>
          <dd>
            <Moment at={disabledAt} />
          </dd>
        </>
      )}
    </dl>
  );
}

type Period = NonNullable<NonNullable<CallerNowQuery['quota']>['limits'][number]['period']>;

/** Shows the current period of a calendar window: its usage, its overage and its boundaries. */
function PeriodText({ period, used, resetAt }: { period: Period; used: number; resetAt: string }) {
  const { every, timeZone, startsAt, amount, overage, carriedOver } = period;
  return (
    <>
      {quotaText.period(calendarText.periods[every], timeZone)} <Moment at={startsAt} /> – <Moment at={resetAt} /> ·{' '}
      {quotaText.usedOf(whole(used), whole(amount))}
      {overage > 0 && (
        <>
          {' '}
          <span className="pill pill-warn">{quotaText.overage(whole(overage))}</span>
        </>
      )}
      {carriedOver > 0 && <> · {quotaText.carriedOver(whole(carriedOver))}</>} · {quotaText.resets}{' '}
      <Moment at={resetAt} relative />
    </>
  );
}

function Buckets({ quota, onAll }: { quota: NonNullable<CallerNowQuery['quota']>; onAll(): void }) {
  const { limits, limitCount } = quota;
  return (
    <>
      <div className="buckets">
        {quota.disabled && <span className="pill pill-bad">{quotaText.blocked}</span>}
        {limits.map(({ rule, field, scope, limit, wholeLimit, region, used, remaining, resetAt, pool, period }) => {
          const left = Math.max(remaining, 0);
          return (
            <div className="bucket" key={`${rule} ${field} ${scope} ${limit} ${pool}`}>
              <div className="bucket-top">
                <Name>{rule}</Name>
                <span>
                  {whole(remaining)}{' '}
                  <span className="muted">
                    {quotaText.ofLimit(whole(limit))}{' '}
                    {region && quotaText.inRegion(visibleText(region), whole(wholeLimit))}
                  </span>
                </span>
              </div>
              <progress
                className={left < limit / 10 ? 'meter meter-low' : 'meter'}
                max={limit}
                value={left}
                aria-label={quotaText.meter(rule)}
              />
              <span className="muted small">
                {field === '*' ? quotaText.allFields : field} ·{' '}
                {period ? (
                  <PeriodText period={period} used={used} resetAt={resetAt} />
                ) : left >= limit ? (
                  quotaText.full
                ) : (
                  <>
                    {quotaText.full} <Moment at={resetAt} relative />
                  </>
                )}
              </span>
            </div>
          );
        })}
      </div>
      {limits.length < limitCount && (
        <p className="card-body">
          <span className="muted">{quotaText.lowestFirst}</span>{' '}
          <button type="button" className="button button-small" onClick={onAll}>
            {quotaText.showAll(whole(limitCount))}
          </button>
        </p>
      )}
    </>
  );
}
