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
import { perDay, refillText } from './bucket-text.js';
import { priceText } from './price-text.js';

type Tier = TiersQuery['tiers']['nodes'][number];

/** Shows the page of the tiers: the bucket of each and the maximum cost of one operation. */
export function TiersPage() {
  const [search, setSearch] = useSearchParams();
  const mayChange = useMay()('ADMIN');
  const retired = search.get('retired') === 'true';
  const query = useAdmin(TiersDocument, { retired, after: search.get('after') });
  return (
    <Page
      title="Tiers"
      lead="Each caller is on one tier and has a bucket of its size, out of which operations are paid."
      actions={
        mayChange && (
          <Link className="button button-primary" href="/tier-form">
            New tier
          </Link>
        )
      }
    >
      <search className="filters">
        <select
          className="select"
          aria-label="State"
          value={`${retired}`}
          onChange={(event) =>
            setSearch((before) => withParam(before, 'retired', event.target.value === 'true' ? 'true' : null))
          }
        >
          <option value="false">In use</option>
          <option value="true">Out of use</option>
        </select>
      </search>
      <Card title={retired ? 'Out of use' : 'In use'}>
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
                  <Empty title="No tier was taken out of use" />
                ) : (
                  <Empty title="No tier" command={mayChange ? 'tollgate rules apply policy.yaml' : undefined}>
                    Without a tier no caller can be charged.{mayChange && ' A policy file brings several at once.'}
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
    title: 'Tier',
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
        {isDefault && <span className="pill pill-good">default</span>}
      </span>
    ),
  },
  {
    title: 'At once',
    value: ({ capacity }) => capacity,
    show: ({ capacity }) => <span title={whole(capacity)}>{short(capacity)}</span>,
    isNumber: true,
  },
  {
    title: 'Refill',
    value: perDay,
    show: ({ refillAmount, refillPeriodMs }) => rate(refillAmount, refillPeriodMs),
    isNumber: true,
  },
  {
    title: 'Full again after',
    value: ({ capacity, refillAmount, refillPeriodMs }) => (capacity / refillAmount) * refillPeriodMs,
    show: refillText,
    isNumber: true,
  },
  {
    title: 'Most for one operation',
    value: ({ maxCostPerOperation }) => maxCostPerOperation,
    show: ({ maxCostPerOperation }) =>
      maxCostPerOperation == null ? <span className="muted">no ceiling</span> : whole(maxCostPerOperation),
    isNumber: true,
  },
  {
    title: 'Price',
    value: ({ monthlyPrice }) => monthlyPrice?.amountMinor,
    show: ({ monthlyPrice }) =>
      monthlyPrice ? priceText(monthlyPrice) : <span className="muted">{priceText(null)}</span>,
    isNumber: true,
  },
  { title: 'From', value: ({ source }) => source, show: ({ source }) => (source === 'CODE' ? 'code' : 'here') },
];
