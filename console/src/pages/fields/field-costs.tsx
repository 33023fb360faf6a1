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
import { percent, short, whole } from '../../parts/text/format.js';
import { commonText } from '../../text/common-text.js';
import { fieldsText } from '../../text/fields-text.js';

const { column, notAvailable, order } = commonText;

const ORDERS = {
  ACTUAL_COST: order.actualCost,
  ESTIMATED_COST: order.estimatedCost,
  REQUESTS: fieldsText.costs.inMostRequests,
  DENIED: fieldsText.costs.inMostDenied,
} as const;

/** Fields by their usage in a range, without the cost of their selections. */
export function FieldCosts({ range }: { range: RangeInUse }) {
  const [search] = useSearchParams();
  const orderBy = useOrder(ORDERS, 'ACTUAL_COST');
  const variables = { range: rangeInput(range), filter: {}, orderBy, after: search.get('after') };
  const query = useAdmin(TopFieldsDocument, variables, { everyMs: variables.after ? undefined : range.everyMs });
  return (
    <>
      <search className="filters">
        <OrderSelect orders={ORDERS} value={orderBy} />
      </search>
      <Card title={ORDERS[orderBy]} aside={fieldsText.costs.hint}>
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
    title: column.field,
    value: ({ field }) => field,
    show: ({ field }) => (
      <Link href={`/fields?${new URLSearchParams({ field })}`}>
        <Coordinate>{field}</Coordinate>
      </Link>
    ),
  },
  {
    title: column.tokens,
    value: ({ actualCost }) => actualCost,
    show: ({ actualCost }) => <span title={whole(actualCost)}>{short(actualCost)}</span>,
    isNumber: true,
  },
  { title: column.share, value: ({ share }) => share, show: ({ share }) => percent(share), isNumber: true },
  {
    title: column.calls,
    value: ({ actualCalls }) => actualCalls,
    show: (row) => short(row.actualCalls),
    isNumber: true,
  },
  {
    title: column.requests,
    value: ({ requests }) => requests,
    show: ({ requests }) => short(requests),
    isNumber: true,
  },
  { title: column.denied, value: ({ denied }) => denied, show: ({ denied }) => short(denied), isNumber: true },
  {
    title: column.actual,
    value: ({ actualCost, estimatedCost }) => (estimatedCost > 0 ? actualCost / estimatedCost : null),
    show: ({ actualCost, estimatedCost }) => (estimatedCost > 0 ? percent(actualCost / estimatedCost) : notAvailable),
    isNumber: true,
  },
];
