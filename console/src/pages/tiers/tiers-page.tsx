import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { useMay } from '../../app/login/session-context.js';
import { TiersDocument, type TiersQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { withParam } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { rate, short, whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { tiersText } from '../../text/tiers-text.js';
import { bucketOf, fillMsOf, perDay, refillText } from './bucket-text.js';
import { budgetText } from './budget-text.js';
import { priceText } from './price-text.js';

const { list: text } = tiersText;
const { column, filter: label } = commonText;

type Tier = TiersQuery['tiers']['nodes'][number];

/** Shows the page of the tiers: the bucket of each and the maximum cost of one operation. */
export function TiersPage() {
  const [search, setSearch] = useSearchParams();
  const mayChange = useMay()('ADMIN');
  const retired = search.get('retired') === 'true';
  const query = useAdmin(TiersDocument, { retired, after: search.get('after') });
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        mayChange && (
          <Link className="button button-primary" href="/tier-form">
            {text.create}
          </Link>
        )
      }
    >
      <search className="filters">
        <select
          className="select"
          aria-label={label.state}
          value={`${retired}`}
          onChange={(event) =>
            setSearch((before) => withParam(before, 'retired', event.target.value === 'true' ? 'true' : null))
          }
        >
          <option value="false">{label.active}</option>
          <option value="true">{label.retired}</option>
        </select>
      </search>
      <Card title={retired ? label.retired : label.active}>
        <Load query={query} rows={5}>
          {({ tiers }) => (
            <DataTable
              name="tiers"
              rows={tiers.nodes}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              next={tiers.pageInfo.hasNextPage ? (tiers.pageInfo.endCursor ?? null) : null}
              empty={
                retired ? (
                  <Empty title={text.noRetired}>{text.noRetiredHint}</Empty>
                ) : (
                  <Empty title={text.empty} command={mayChange ? 'tollgate rules apply policy.yaml' : undefined}>
                    {mayChange ? text.emptyHint : text.emptyHintViewer}
                  </Empty>
                )
              }
            />
          )}
        </Load>
      </Card>
    </Page>
  );
}

const COLUMNS: Column<Tier>[] = [
  {
    title: column.tier,
    value: ({ name }) => name,
    show: ({ name, displayName, isDefault, retiredAt }) => (
      <span className="caller">
        {retiredAt ? (
          <Name>{name}</Name>
        ) : (
          <Link href={`/tier?${new URLSearchParams({ name })}`}>
            <Name>{name}</Name>
          </Link>
        )}
        {displayName !== name && (
          <span className="muted">
            <Name>{displayName}</Name>
          </span>
        )}
        {isDefault && <span className="pill pill-good">{commonText.defaultTag}</span>}
      </span>
    ),
  },
  {
    title: text.burst,
    value: ({ capacity }) => capacity,
    show: ({ capacity }) =>
      capacity == null ? (
        <span className="muted">{tiersText.unlimited}</span>
      ) : (
        <span title={whole(capacity)}>{short(capacity)}</span>
      ),
    isNumber: true,
  },
  {
    title: text.refill,
    value: perDay,
    show: (tier) => {
      const bucket = bucketOf(tier);
      return bucket && rate(bucket.refillAmount, bucket.refillPeriodMs);
    },
    isNumber: true,
  },
  {
    title: text.timeToRefill,
    value: fillMsOf,
    show: refillText,
    isNumber: true,
  },
  {
    title: text.budget,
    value: ({ budget }) => budget?.amount,
    show: ({ budget }) => (budget ? budgetText(budget) : <span className="muted">{tiersText.page.noBudget}</span>),
  },
  {
    title: text.maxPerOperation,
    value: ({ maxCostPerOperation }) => maxCostPerOperation,
    show: ({ maxCostPerOperation }) =>
      maxCostPerOperation == null ? <span className="muted">{tiersText.unlimited}</span> : whole(maxCostPerOperation),
    isNumber: true,
  },
  {
    title: column.price,
    value: ({ monthlyPrice }) => monthlyPrice?.amountMinor,
    show: ({ monthlyPrice }) =>
      monthlyPrice ? priceText(monthlyPrice) : <span className="muted">{priceText(null)}</span>,
    isNumber: true,
  },
  {
    title: column.source,
    value: ({ source }) => source,
    show: ({ source }) => (source === 'CODE' ? text.code : text.console),
  },
];
