import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { TopFieldsDocument, type TopFieldsQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Load } from '../../parts/feedback/load.js';
import { NoTraffic } from '../../parts/feedback/no-traffic.js';
import { OrderSelect, useOrder } from '../../parts/form/order-select.js';
import { rangeInput } from '../../parts/range/shown-range.js';
import { type RangeInUse } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { Coordinate } from '../../parts/text/coordinate.js';
import { percent, ratio, short, whole } from '../../parts/text/format.js';

const ORDERS = {
  ACTUAL_COST: 'Most tokens',
  ESTIMATED_COST: 'Most tokens by estimate',
  REQUESTS: 'In most requests',
  DENIED: 'In most denied requests',
} as const;

/** Fields by their usage in a range, without the cost of their selections. */
export function MostSpent({ range }: { range: RangeInUse }) {
  const [search] = useSearchParams();
  const orderBy = useOrder(ORDERS, 'ACTUAL_COST');
  const variables = { range: rangeInput(range), filter: {}, orderBy, after: search.get('after') };
  const query = useAdmin(TopFieldsDocument, variables, { everyMs: variables.after ? undefined : range.everyMs });
  return (
    <>
      <search className="filters">
        <OrderSelect orders={ORDERS} value={orderBy} />
      </search>
      <Card title={ORDERS[orderBy]} aside="Costs are without what is selected below a field">
        <Load query={query} rows={8}>
          {({ topFields }) => (
            <DataTable
              name="spent-fields"
              rows={topFields.nodes}
              columns={COLUMNS}
              keyOf={({ field }) => field}
              next={topFields.pageInfo.hasNextPage ? (topFields.pageInfo.endCursor ?? null) : null}
              empty={<NoTraffic />}
            />
          )}
        </Load>
      </Card>
    </>
  );
}

const COLUMNS: Column<TopFieldsQuery['topFields']['nodes'][number]>[] = [
  {
    title: 'Field',
    value: ({ field }) => field,
    show: ({ field }) => (
      <Link href={`/fields?${new URLSearchParams({ field })}`}>
        <Coordinate>{field}</Coordinate>
      </Link>
    ),
  },
  {
    title: 'Tokens',
    value: ({ actualCost }) => actualCost,
    show: ({ actualCost }) => <span title={whole(actualCost)}>{short(actualCost)}</span>,
    isNumber: true,
  },
  { title: 'Share', value: ({ share }) => share, show: ({ share }) => percent(share), isNumber: true },
  { title: 'Calls', value: ({ actualCalls }) => actualCalls, show: (row) => short(row.actualCalls), isNumber: true },
  { title: 'Requests', value: ({ requests }) => requests, show: ({ requests }) => short(requests), isNumber: true },
  { title: 'Denied', value: ({ denied }) => denied, show: ({ denied }) => short(denied), isNumber: true },
  {
    title: 'Actual to estimate',
    value: ({ actualCost, estimatedCost }) => (estimatedCost > 0 ? actualCost / estimatedCost : null),
    show: ({ actualCost, estimatedCost }) => (estimatedCost > 0 ? ratio(actualCost / estimatedCost) : '–'),
    isNumber: true,
  },
];
