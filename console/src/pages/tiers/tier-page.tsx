import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { TierInFullDocument, type TierInFullQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
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
import { bucketText, perDay, refillText } from './bucket-text.js';
import { priceText } from './price-text.js';
import { TierActions } from './tier-actions.js';

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
  if (name === '') return <Empty title="No tier is named in the address" />;
  const tier = query.data?.tier;
  return (
    <Page
      title={<Name>{name}</Name>}
      lead={tier && tier.displayName !== name && visibleText(tier.displayName)}
      actions={mayChange && tier && <TierActions key={name} tier={tier} />}
    >
      <Load query={query} rows={8}>
        {({ tier, ...rest }) =>
          tier ? (
            <Filled tier={tier} {...rest} />
          ) : (
            <Empty title="No tier in use has this name">
              It may have been taken out of use: <Link href="/tiers?retired=true">those out of use</Link>.
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
  return (
    <div className="page-parts">
      <div className="stats">
        <Fact label="Tokens on the last day" value={short(sum(({ actualCost }) => actualCost))} />
        <Fact label="Requests on the last day" value={short(requests)} />
        <Fact label="Denied of them" value={requests > 0 ? percent(denied / requests) : '–'} />
        <Fact
          label="Callers to whom it is assigned"
          value={subjects.totalCount == null ? '–' : whole(subjects.totalCount)}
        />
      </div>
      <div className="columns">
        <Card title="What it gives" aside={tier.isDefault && <span className="pill pill-good">default</span>}>
          <dl className="facts">
            <dt>Bucket</dt>
            <dd>{bucketText(tier)}</dd>
            <dt>Full again</dt>
            <dd>{refillText(tier)} after it was empty</dd>
            <dt>A day</dt>
            <dd>{whole(perDay(tier))} tokens, without ever being denied</dd>
            <dt>Answers say</dt>
            <dd>{ANSWERS[tier.answer]}</dd>
            <dt>Price</dt>
            <dd>{priceText(tier.monthlyPrice)}</dd>
            <dt>In code</dt>
            <dd>
              {tier.inCode.length === 0 && 'no server has it in its code'}
              {tier.inCode.map(({ service, differences }) => (
                <div key={service ?? ''}>
                  {service ? <Name>{service}</Name> : 'a server'}
                  {differences.length === 0 ? ' has it as it is here' : ' has it otherwise; what is here is in force:'}
                  <Differences differences={differences} />
                </div>
              ))}
            </dd>
            <dt>Changed</dt>
            <dd>
              <Moment at={tier.updatedAt} />, version {tier.version}
            </dd>
          </dl>
        </Card>
        <Card title="The most that one operation may have">
          <dl className="facts">
            <dt>Cost</dt>
            <dd>{ceiling(tier.maxCostPerOperation, 'tokens')}</dd>
            <dt>Nodes</dt>
            <dd>{ceiling(tier.maxNodesPerOperation, 'objects')}</dd>
            <dt>Type cost</dt>
            <dd>{ceiling(tier.maxTypeCostPerOperation, '')}</dd>
            <dt>Field cost</dt>
            <dd>{ceiling(tier.maxFieldCostPerOperation, '')}</dd>
            <dt>Rules</dt>
            <dd>
              {rules.nodes.length === 0 && 'none are made for this tier alone'}
              {rules.nodes.map(({ name, field, mode }) => (
                <p key={name}>
                  <Link href={`/rule?${new URLSearchParams({ name })}`}>
                    <Name>{name}</Name>
                  </Link>{' '}
                  <span className="tag">
                    {visibleText(field)}, {mode.toLowerCase()}
                  </span>
                </p>
              ))}
            </dd>
          </dl>
        </Card>
      </div>
      <Card
        title="Who spent most on the last day"
        aside={<Link href={`/callers?${new URLSearchParams({ tier: tier.name })}`}>All callers of this tier</Link>}
      >
        <DataTable
          name="spenders"
          rows={topCallers.nodes}
          columns={SPENDERS}
          keyOf={({ caller }) => `${caller.kind} ${caller.name} ${caller.tenant}`}
          empty={<Empty title="Nobody on this tier asked for anything" />}
        />
      </Card>
      <Card title="Callers to whom it is assigned">
        <DataTable
          name="assigned"
          rows={subjects.nodes}
          columns={ASSIGNED}
          keyOf={({ id }) => id}
          next={subjects.pageInfo.hasNextPage ? (subjects.pageInfo.endCursor ?? null) : null}
          empty={
            <Empty title="It is assigned to nobody">
              {tier.isDefault
                ? 'All callers without a tier of their own are on it.'
                : 'A caller is put on it on their own page.'}
            </Empty>
          }
        />
      </Card>
      <Card title="Changes">
        <DataTable
          name="changes"
          rows={tier.history.nodes}
          columns={CHANGES}
          keyOf={({ id }) => id}
          empty={<Empty title="Nobody has changed it since it was made" />}
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
  return most == null ? 'no ceiling' : `${whole(most)} ${unit}`;
}

const ANSWERS = {
  BRIEF: 'what it cost and the nearest limit',
  FULL: 'every limit, the tier and the mode',
  NONE: 'no numbers',
} as const;

const SPENDERS: Column<TierInFullQuery['topCallers']['nodes'][number]>[] = [
  { title: 'Caller', value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  { title: 'Tokens', value: (row) => row.actualCost, show: (row) => short(row.actualCost), isNumber: true },
  { title: 'Share', value: ({ share }) => share, show: ({ share }) => percent(share), isNumber: true },
  { title: 'Requests', value: ({ requests }) => requests, show: ({ requests }) => short(requests), isNumber: true },
  { title: 'Denied', value: ({ denied }) => denied, show: ({ denied }) => short(denied), isNumber: true },
];

const ASSIGNED: Column<TierInFullQuery['subjects']['nodes'][number]>[] = [
  { title: 'Caller', value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  {
    title: 'Since',
    value: ({ upgradedAt }) => upgradedAt,
    show: ({ upgradedAt }) => (upgradedAt ? <Moment at={upgradedAt} /> : '–'),
  },
  {
    title: 'State',
    value: ({ disabledAt, override }) => (disabledAt ? 'shut out' : override ? 'own bucket' : ''),
    show: ({ disabledAt, override }) => (
      <>
        {disabledAt && <span className="pill pill-bad">shut out</span>}
        {override && <span className="pill pill-warn">bucket of {short(override.capacity)}</span>}
      </>
    ),
  },
];

const CHANGES: Column<FullTier['history']['nodes'][number]>[] = [
  { title: 'When', value: ({ changedAt }) => changedAt, show: ({ changedAt }) => <Moment at={changedAt} /> },
  { title: 'Who', value: ({ actor }) => actor, show: ({ actor }) => <Name>{actor}</Name> },
  {
    title: 'What',
    value: ({ action, differences }) => `${action} ${(differences ?? []).map(({ path }) => path).join(' ')}`,
    show: ({ action, differences }) =>
      action === 'UPDATE' ? <Differences differences={differences} /> : action.toLowerCase().replaceAll('_', ' '),
  },
  { title: 'Why', value: ({ comment }) => comment, show: ({ comment }) => comment && <Name>{comment}</Name> },
];
