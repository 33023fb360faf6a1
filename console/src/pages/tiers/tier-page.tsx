import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { TierInFullDocument, type TierInFullQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { EmptyPage } from '../../parts/feedback/empty-page.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { rangeInput } from '../../parts/range/shown-range.js';
import { useRange } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { Differences } from '../../parts/text/differences.js';
import { percent, short, whole } from '../../parts/text/format.js';
import { Moment } from '../../parts/text/moment.js';
import { Name } from '../../parts/text/name.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { commonText } from '../../text/common-text.js';
import { historyText } from '../../text/history-text.js';
import { shellText } from '../../text/shell-text.js';
import { tiersText } from '../../text/tiers-text.js';
import { bucketText, perDay, refillText } from './bucket-text.js';
import { budgetText } from './budget-text.js';
import { priceText } from './price-text.js';
import { TierActions } from './tier-actions.js';

const { page: text } = tiersText;
const { column, notAvailable } = commonText;

type FullTier = NonNullable<TierInFullQuery['tier']>;

/**
 * Shows the page of one tier: its limits, its callers with their usage on the last day, and its
 * history.
 */
export function TierPage() {
  const [search] = useSearchParams();
  const name = search.get('name') ?? '';
  const mayChange = useMay()('ADMIN');
  const day = rangeInput(useRange('24h'));
  const query = useAdmin(
    TierInFullDocument,
    { name, day, after: search.get('after') },
    { enabled: name !== '', about: name },
  );
  if (name === '') {
    return (
      <EmptyPage title={text.unnamed} href="/tiers" link={shellText.goTo(shellText.pages.tiers)}>
        {text.unnamedHint}
      </EmptyPage>
    );
  }
  const tier = query.data?.tier;
  return (
    <Page
      title={<Name>{name}</Name>}
      // A line that appears only with the data would move the page.
      lead={tier && tier.displayName !== name ? text.named(visibleText(tier.displayName)) : text.tier}
      actions={mayChange && tier && <TierActions key={name} tier={tier} />}
    >
      <Load query={query} rows={8}>
        {({ tier, ...rest }) =>
          tier ? (
            <Filled tier={tier} {...rest} />
          ) : (
            <Empty title={text.notFound}>
              {text.notFoundHint} <Link href="/tiers?retired=true">{text.showRetired}</Link>
            </Empty>
          )
        }
      </Load>
    </Page>
  );
}

interface FilledProps extends Omit<TierInFullQuery, 'tier'> {
  tier: FullTier;
}

function Filled({ tier, usage, topCallers, subjects, rules }: FilledProps) {
  const sum = (of: (point: (typeof usage.nodes)[number]) => number) =>
    usage.nodes.reduce((total, point) => total + of(point), 0);
  const requests = sum((point) => point.requests);
  const denied = sum((point) => point.denied);
  const sustained = perDay(tier);
  return (
    <div className="page-parts">
      <div className="stats">
        <Fact label={text.tokens} value={short(sum(({ actualCost }) => actualCost))} />
        <Fact label={text.requests} value={short(requests)} />
        <Fact label={text.denied} value={requests > 0 ? percent(denied / requests) : notAvailable} />
        <Fact
          label={text.assignedCount}
          value={subjects.totalCount == null ? notAvailable : whole(subjects.totalCount)}
        />
      </div>
      <div className="columns">
        <Card
          title={text.title}
          aside={tier.isDefault && <span className="pill pill-good">{commonText.defaultTag}</span>}
        >
          <dl className="facts">
            <dt>{text.bucket}</dt>
            <dd>{bucketText(tier)}</dd>
            <dt>{text.budget}</dt>
            <dd>{tier.budget ? budgetText(tier.budget) : text.noBudget}</dd>
            {sustained !== undefined && (
              <>
                <dt>{text.timeToRefill}</dt>
                <dd>{refillText(tier)}</dd>
                <dt>{text.perDay}</dt>
                <dd>{text.tokensCount(whole(sustained))}</dd>
              </>
            )}
            <dt>{tiersText.responseDetail}</dt>
            <dd>{tiersText.responseDetails[tier.answer]}</dd>
            <dt>{text.price}</dt>
            <dd>{priceText(tier.monthlyPrice)}</dd>
            <dt>{text.inCode}</dt>
            <dd>
              {tier.inCode.length === 0 && text.notInCode}
              {tier.inCode.map(({ service, differences }) => (
                <div key={service ?? ''}>
                  {service ? <Name>{service}</Name> : text.server}:{' '}
                  {differences.length === 0 ? text.sameInCode : text.differsInCode}
                  <Differences differences={differences} />
                </div>
              ))}
            </dd>
            <dt>{text.changed}</dt>
            <dd>
              <Moment at={tier.updatedAt} />, {text.version(tier.version)}
            </dd>
          </dl>
        </Card>
        <Card title={text.maximum}>
          <dl className="facts">
            <dt>{text.cost}</dt>
            <dd>{ceiling(tier.maxCostPerOperation, text.tokensUnit)}</dd>
            <dt>{text.nodes}</dt>
            <dd>{ceiling(tier.maxNodesPerOperation, text.nodesUnit)}</dd>
            <dt>{text.typeCost}</dt>
            <dd>{ceiling(tier.maxTypeCostPerOperation, '')}</dd>
            <dt>{text.fieldCost}</dt>
            <dd>{ceiling(tier.maxFieldCostPerOperation, '')}</dd>
            <dt>{text.rules}</dt>
            <dd>
              {rules.nodes.length === 0 && text.noRules}
              {rules.nodes.map(({ name, field, mode }) => (
                <p key={name}>
                  <Link href={`/rule?${new URLSearchParams({ name })}`}>
                    <Name>{name}</Name>
                  </Link>{' '}
                  <span className="tag">
                    {visibleText(field)}, {commonText.modes[mode]}
                  </span>
                </p>
              ))}
            </dd>
          </dl>
        </Card>
      </div>
      <Card
        title={text.topCallers}
        aside={<Link href={`/callers?${new URLSearchParams({ tier: tier.name })}`}>{text.allCallers}</Link>}
      >
        <DataTable
          name="top-callers"
          rows={topCallers.nodes}
          columns={TOP_CALLERS}
          keyOf={({ caller }) => `${caller.kind} ${caller.name} ${caller.tenant}`}
          empty={<Empty title={text.noTraffic}>{text.noTrafficHint}</Empty>}
        />
      </Card>
      <Card title={text.assigned}>
        <DataTable
          name="assigned"
          rows={subjects.nodes}
          columns={ASSIGNED}
          keyOf={({ id }) => id}
          next={subjects.pageInfo.hasNextPage ? (subjects.pageInfo.endCursor ?? null) : null}
          empty={<Empty title={text.noneAssigned}>{tier.isDefault ? text.defaultHint : text.assignHint}</Empty>}
        />
      </Card>
      <Card title={text.history}>
        <DataTable
          name="changes"
          rows={tier.history.nodes}
          columns={CHANGES}
          keyOf={({ id }) => id}
          empty={<Empty title={text.noHistory}>{text.noHistoryHint}</Empty>}
        />
      </Card>
    </div>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="stat">
      <span className="stat-label">{label}</span>
      <span className="stat-value">{value}</span>
    </div>
  );
}

function ceiling(most: number | null | undefined, unit: string): string {
  return most == null ? tiersText.unlimited : `${whole(most)} ${unit}`;
}

const TOP_CALLERS: Column<TierInFullQuery['topCallers']['nodes'][number]>[] = [
  { title: column.caller, value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  { title: column.tokens, value: (row) => row.actualCost, show: (row) => short(row.actualCost), isNumber: true },
  { title: column.share, value: ({ share }) => share, show: ({ share }) => percent(share), isNumber: true },
  {
    title: column.requests,
    value: ({ requests }) => requests,
    show: ({ requests }) => short(requests),
    isNumber: true,
  },
  { title: column.denied, value: ({ denied }) => denied, show: ({ denied }) => short(denied), isNumber: true },
];

const ASSIGNED: Column<TierInFullQuery['subjects']['nodes'][number]>[] = [
  { title: column.caller, value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  {
    title: column.since,
    value: ({ upgradedAt }) => upgradedAt,
    show: ({ upgradedAt }) => (upgradedAt ? <Moment at={upgradedAt} /> : notAvailable),
  },
  {
    title: column.state,
    value: ({ disabledAt, override }) =>
      disabledAt ? text.blocked : override ? text.customLimit(whole(override.capacity)) : '',
    show: ({ disabledAt, override }) => (
      <>
        {disabledAt && <span className="pill pill-bad">{text.blocked}</span>}
        {override && <span className="pill pill-warn">{text.customLimit(short(override.capacity))}</span>}
      </>
    ),
  },
];

const CHANGES: Column<FullTier['history']['nodes'][number]>[] = [
  { title: column.time, value: ({ changedAt }) => changedAt, show: ({ changedAt }) => <Moment at={changedAt} /> },
  { title: column.by, value: ({ actor }) => actor, show: ({ actor }) => <Name>{actor}</Name> },
  {
    title: column.change,
    value: ({ action, differences }) => `${action} ${(differences ?? []).map(({ path }) => path).join(' ')}`,
    show: ({ action, differences }) =>
      action === 'UPDATE' ? <Differences differences={differences} /> : historyText.action(action),
  },
  { title: column.comment, value: ({ comment }) => comment, show: ({ comment }) => comment && <Name>{comment}</Name> },
];
