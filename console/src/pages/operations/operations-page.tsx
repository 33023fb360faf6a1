import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import {
  CallersOfOperationDocument,
  type CallersOfOperationQuery,
  OperationsDocument,
  type OperationsQuery,
} from '../../generated/graphql.js';
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
import { duration, percent, ratio, short, whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';

type OperationRow = OperationsQuery['topOperations']['nodes'][number];

const ORDERS = {
  ACTUAL_COST: 'Most tokens',
  ESTIMATED_COST: 'Most tokens by estimate',
  REQUESTS: 'Most requests',
  DENIED: 'Most denied',
} as const;

/**
 * Shows the page of the operations: total cost, cost of most single runs, accuracy of the estimate,
 * and callers.
 */
export function OperationsPage() {
  const range = useRange('24h');
  const [search] = useSearchParams();
  const operation = search.get('operation');
  const filter = operation ? { operation } : {};
  const orderBy = useOrder(ORDERS, 'ACTUAL_COST');
  const variables = { range: rangeInput(range), filter, orderBy, after: search.get('after') };
  const query = useAdmin(OperationsDocument, variables, { everyMs: variables.after ? undefined : range.everyMs });
  return (
    <Page
      title="Operations"
      lead="What is asked for, by the name that clients give it, and what it costs."
      actions={<RangePicker range={range} presets={['1h', '24h', '7d', '30d', '90d']} />}
    >
      <search className="filters">
        <FilterField name="operation" label="Name of the operation" />
        <OrderSelect orders={ORDERS} value={orderBy} />
      </search>
      <Card title={ORDERS[orderBy]}>
        <Load query={query} rows={8}>
          {({ topOperations }) => (
            <DataTable
              name="operations"
              rows={topOperations.nodes}
              columns={COLUMNS}
              keyOf={({ operation }) => `${operation.type} ${operation.name}`}
              next={topOperations.pageInfo.hasNextPage ? (topOperations.pageInfo.endCursor ?? null) : null}
              actions={links}
              empty={
                operation ? (
                  <Empty title="Nobody asked for an operation of this name">Upper and lower case are told apart.</Empty>
                ) : (
                  <NoTraffic>Operations go by the names that clients give them.</NoTraffic>
                )
              }
            />
          )}
        </Load>
        <p className="card-note">
          p95 is what 95 of 100 runs cost or took at most: of the newest 20,000 that are logged, for a day at most.
        </p>
      </Card>
      {operation && <Callers range={variables.range} operation={operation} />}
    </Page>
  );
}

function Callers({ range, operation }: { range: { from: string; to: string }; operation: string }) {
  const query = useAdmin(CallersOfOperationDocument, { range, filter: { operation } });
  return (
    <Card title="Who asks for it" aside={<Link href={denialsPath(operation)}>Its denials</Link>}>
      <Load query={query} rows={4}>
        {({ topCallers }) => (
          <DataTable
            name="callers"
            rows={topCallers.nodes}
            columns={CALLERS}
            keyOf={({ caller }) => `${caller.kind} ${caller.name} ${caller.tenant}`}
            empty={<Empty title="Nobody asked for it in this time" />}
          />
        )}
      </Load>
    </Card>
  );
}

function denialsPath(operation: string): string {
  return `/denials?${new URLSearchParams({ operation })}`;
}

function links({ operation: { name }, denied }: OperationRow) {
  if (!name || denied === 0) return null;
  return (
    <Link className="button button-small" href={denialsPath(name)}>
      Denials
    </Link>
  );
}

const COLUMNS: Column<OperationRow>[] = [
  {
    title: 'Operation',
    value: ({ operation }) => operation.name,
    show: ({ operation: { name, type } }) => (
      <span className="caller">
        {name ? (
          <Link href={`/operations?${new URLSearchParams({ operation: name })}`}>
            <Name>{name}</Name>
          </Link>
        ) : (
          <em className="muted">{type === 'OTHER' ? 'not told apart' : 'unnamed'}</em>
        )}
        <span className="tag">{type.toLowerCase()}</span>
      </span>
    ),
  },
  {
    title: 'Tokens',
    value: ({ actualCost }) => actualCost,
    show: ({ actualCost }) => <span title={whole(actualCost)}>{short(actualCost)}</span>,
    isNumber: true,
  },
  { title: 'Share', value: ({ share }) => share, show: ({ share }) => percent(share), isNumber: true },
  { title: 'Requests', value: ({ requests }) => requests, show: ({ requests }) => short(requests), isNumber: true },
  { title: 'Denied', value: ({ denied }) => denied, show: ({ denied }) => short(denied), isNumber: true },
  {
    title: 'Actual to estimate',
    value: ({ actualCost, estimatedCost }) => (estimatedCost > 0 ? actualCost / estimatedCost : null),
    show: ({ actualCost, estimatedCost }) => (estimatedCost > 0 ? ratio(actualCost / estimatedCost) : '–'),
    isNumber: true,
  },
  {
    title: 'Cost, p50',
    value: ({ spread }) => spread?.p50Cost,
    show: ({ spread }) => (spread ? whole(spread.p50Cost) : '–'),
    isNumber: true,
  },
  {
    title: 'Cost, p95',
    value: ({ spread }) => spread?.p95Cost,
    show: ({ spread }) =>
      spread ? <span title={`of ${whole(spread.decisions)} runs`}>{whole(spread.p95Cost)}</span> : '–',
    isNumber: true,
  },
  {
    title: 'Time, p95',
    value: ({ spread }) => spread?.p95DurationMs,
    show: ({ spread }) => (spread ? duration(spread.p95DurationMs) : '–'),
    isNumber: true,
  },
];

const CALLERS: Column<CallersOfOperationQuery['topCallers']['nodes'][number]>[] = [
  { title: 'Caller', value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  { title: 'Tokens', value: (row) => row.actualCost, show: (row) => short(row.actualCost), isNumber: true },
  { title: 'Share', value: ({ share }) => share, show: ({ share }) => percent(share), isNumber: true },
  { title: 'Requests', value: ({ requests }) => requests, show: ({ requests }) => short(requests), isNumber: true },
  { title: 'Denied', value: ({ denied }) => denied, show: ({ denied }) => short(denied), isNumber: true },
];
