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
import { callersText } from '../../text/callers-text.js';
import { commonText } from '../../text/common-text.js';
import { SharedAddresses } from './shared-addresses.js';

const { column, filter: label, noTraffic, order } = commonText;
const { list } = callersText;

const ORDERS = { ACTUAL_COST: order.actualCost, REQUESTS: order.requests, DENIED: order.denied } as const;

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
      title={list.title}
      lead={list.lead}
      actions={<RangePicker range={range} presets={['1h', '24h', '7d', '30d']} />}
    >
      <search className="filters">
        <FilterField name="user" label={label.user} />
        <FilterField name="tenant" label={label.tenant} />
        <FilterField name="tier" label={label.tier} />
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
                  <Empty title={list.noMatch}>{noTraffic.changeFilters}</Empty>
                ) : (
                  <NoTraffic />
                )
              }
            />
          )}
        </Load>
      </Card>
      <SharedAddresses />
    </Page>
  );
}

type CallerRow = CallersQuery['topCallers']['nodes'][number];

const COLUMNS: Column<CallerRow>[] = [
  { title: column.caller, value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  { title: column.tokens, value: (row) => row.actualCost, show: (row) => whole(row.actualCost), isNumber: true },
  { title: column.share, value: (row) => row.share, show: (row) => percent(row.share), isNumber: true },
  { title: column.requests, value: (row) => row.requests, show: (row) => whole(row.requests), isNumber: true },
  { title: column.denied, value: (row) => row.denied, show: (row) => whole(row.denied), isNumber: true },
  {
    title: column.shadowDenied,
    value: (row) => row.shadowDenied,
    show: (row) => whole(row.shadowDenied),
    isNumber: true,
  },
];
