import { useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { CallersDocument, type CallersQuery, type UsageFilter } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { NoTraffic } from '../../parts/feedback/no-traffic.js';
import { FilterField } from '../../parts/form/filter-field.js';
import { OrderSelect, useOrder } from '../../parts/form/order-select.js';
import { Page } from '../../parts/page.js';
import { RangePicker } from '../../parts/range/range-picker.js';
import { rangeInput } from '../../parts/range/shown-range.js';
import { useRange } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { percent, whole } from '../../parts/text/format.js';

const ORDERS = { ACTUAL_COST: 'Most tokens', REQUESTS: 'Most requests', DENIED: 'Most denied' } as const;

/** Shows the page of the callers, by their usage in a range. */
export function CallersPage() {
  const range = useRange('24h');
  const [search] = useSearchParams();
  const filter: UsageFilter = {};
  for (const name of ['user', 'tenant', 'tier'] as const) {
    const value = search.get(name);
    if (value) filter[name] = value;
  }
  const orderBy = useOrder(ORDERS, 'ACTUAL_COST');
  const variables = { range: rangeInput(range), filter, orderBy, after: search.get('after') };
  const query = useAdmin(CallersDocument, variables, { everyMs: variables.after ? undefined : range.everyMs });
  return (
    <Page
      title="Callers"
      lead="Everybody who asked in this time, by what they used."
      actions={<RangePicker range={range} presets={['1h', '24h', '7d', '30d']} />}
    >
      <search className="filters">
        <FilterField name="user" label="User" />
        <FilterField name="tenant" label="Tenant" />
        <FilterField name="tier" label="Tier" />
        <OrderSelect orders={ORDERS} value={orderBy} />
      </search>
      <Card title={ORDERS[orderBy]}>
        <Load query={query} rows={8}>
          {({ topCallers }) => (
            <DataTable
              name="callers"
              rows={topCallers.nodes}
              columns={COLUMNS}
              keyOf={({ caller }) => `${caller.kind} ${caller.name} ${caller.tenant}`}
              next={topCallers.pageInfo.hasNextPage ? (topCallers.pageInfo.endCursor ?? null) : null}
              empty={
                Object.keys(filter).length > 0 ? (
                  <Empty title="Nobody asked">In this time, with these conditions.</Empty>
                ) : (
                  <NoTraffic title="Nobody asked in this time" />
                )
              }
            />
          )}
        </Load>
      </Card>
    </Page>
  );
}

type CallerRow = CallersQuery['topCallers']['nodes'][number];

const COLUMNS: Column<CallerRow>[] = [
  { title: 'Caller', value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  { title: 'Tokens', value: (row) => row.actualCost, show: (row) => whole(row.actualCost), isNumber: true },
  { title: 'Share', value: (row) => row.share, show: (row) => percent(row.share), isNumber: true },
  { title: 'Requests', value: (row) => row.requests, show: (row) => whole(row.requests), isNumber: true },
  { title: 'Denied', value: (row) => row.denied, show: (row) => whole(row.denied), isNumber: true },
  { title: 'In shadow', value: (row) => row.shadowDenied, show: (row) => whole(row.shadowDenied), isNumber: true },
];
