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
import { useRange, withParam } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { DENIED_COLUMN, USAGE_COLUMNS } from '../../parts/table/usage-columns.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { duration, percent, short, whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { operationsText } from '../../text/operations-text.js';
import { hasSubscriptions } from './has-subscriptions.js';
import { OpenStreams } from './open-streams.js';

type OperationRow = OperationsQuery['topOperations']['nodes'][number];

const { caseSensitive, column, filter: label, noTraffic, notAvailable, order } = commonText;

const text = operationsText.registration;

const ORDERS = {
  ACTUAL_COST: order.actualCost,
  ESTIMATED_COST: order.estimatedCost,
  REQUESTS: order.requests,
  DENIED: order.denied,
} as const;

/**
 * Shows the page of the operations: total cost, cost of single runs (p50 and p95), accuracy of the
 * estimate, and callers.
 */
export function OperationsPage() {
  const range = useRange('24h');
  const [search, setSearch] = useSearchParams();
  const registration = search.get('documents');
  const operation = search.get('operation');
  const filter = operation ? { operation } : {};
  const orderBy = useOrder(ORDERS, 'ACTUAL_COST');
  const registered = registration === 'registered' ? true : registration === 'others' ? false : null;
  const variables = { range: rangeInput(range), filter, orderBy, registered, after: search.get('after') };
  const query = useAdmin(OperationsDocument, variables, { everyMs: variables.after ? undefined : range.everyMs });
  return (
    <Page
      title={operationsText.title}
      lead={operationsText.lead}
      actions={<RangePicker range={range} presets={['1h', '24h', '7d', '30d', '90d']} />}
    >
      <search className="filters">
        <FilterField name="operation" label={label.operation} />
        <select
          className="select"
          aria-label={text.documents}
          value={registered === null ? '' : registration!}
          onChange={(event) => setSearch((before) => withParam(before, 'documents', event.target.value))}
        >
          <option value="">{text.allDocuments}</option>
          <option value="registered">{text.registered}</option>
          <option value="others">{text.notRegistered}</option>
        </select>
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
                  <Empty title={operationsText.noMatch}>{caseSensitive}</Empty>
                ) : registered !== null ? (
                  <Empty title={noTraffic.title}>{noTraffic.changeFilters}</Empty>
                ) : (
                  <NoTraffic>{operationsText.namesHint}</NoTraffic>
                )
              }
            />
          )}
        </Load>
        <p className="card-note">
          {operationsText.percentiles}
          {query.data && hasSubscriptions(query.data.topOperations.nodes) && ` ${commonText.eventsNote}`}
        </p>
      </Card>
      {operation && <Callers range={variables.range} operation={operation} />}
      <OpenStreams key={operation} operation={operation ?? undefined} />
    </Page>
  );
}

function Callers({ range, operation }: { range: { from: string; to: string }; operation: string }) {
  const query = useAdmin(CallersOfOperationDocument, { range, filter: { operation } });
  return (
    <Card title={operationsText.callers} aside={<Link href={denialsPath(operation)}>{operationsText.denials}</Link>}>
      <Load query={query} rows={4}>
        {({ topCallers }) => (
          <DataTable
            name="callers"
            rows={topCallers.nodes}
            columns={CALLERS}
            keyOf={({ caller }) => `${caller.kind} ${caller.name} ${caller.tenant}`}
            empty={<Empty title={noTraffic.title}>{noTraffic.changeFilters}</Empty>}
          />
        )}
      </Load>
    </Card>
  );
}

/** Shows the registered document that was published last, and the number of the others. */
function Documents({ documents: [first, ...others] }: Pick<OperationRow, 'documents'>) {
  if (!first) return null;
  const { app, version, documentId } = first;
  return (
    <span className="muted small">
      <Link href={`/documents-of?${new URLSearchParams({ app, version })}`}>
        <Name>{text.registeredBy(app, version)}</Name>
      </Link>{' '}
      <Name mono>{documentId}</Name>
      {others.length > 0 && ` ${text.more(others.length)}`}
    </span>
  );
}

function denialsPath(operation: string): string {
  return `/denials?${new URLSearchParams({ operation })}`;
}

function links({ operation: { name }, denied }: OperationRow) {
  if (!name || denied === 0) return null;
  return (
    <Link className="button button-small" href={denialsPath(name)}>
      {operationsText.denials}
    </Link>
  );
}

const COLUMNS: Column<OperationRow>[] = [
  {
    title: column.operation,
    value: ({ operation }) => operation.name,
    show: ({ operation: { name, type }, documents }) => (
      <span className="caller">
        {name ? (
          <Link href={`/operations?${new URLSearchParams({ operation: name })}`}>
            <Name>{name}</Name>
          </Link>
        ) : (
          <em className="muted">{type === 'OTHER' ? operationsText.other : operationsText.unnamed}</em>
        )}
        <span className="tag">{commonText.operationType(type)}</span>
        <Documents documents={documents} />
      </span>
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
  {
    title: operationsText.column.costP50,
    value: ({ spread }) => spread?.p50Cost,
    show: ({ spread }) => (spread ? whole(spread.p50Cost) : notAvailable),
    isNumber: true,
  },
  {
    title: operationsText.column.costP95,
    value: ({ spread }) => spread?.p95Cost,
    show: ({ spread }) =>
      spread ? <span title={operationsText.runs(whole(spread.decisions))}>{whole(spread.p95Cost)}</span> : notAvailable,
    isNumber: true,
  },
  {
    title: operationsText.column.timeP95,
    value: ({ spread }) => spread?.p95DurationMs,
    show: ({ spread }) => (spread ? duration(spread.p95DurationMs) : notAvailable),
    isNumber: true,
  },
];

const CALLERS: Column<CallersOfOperationQuery['topCallers']['nodes'][number]>[] = [
  { title: column.caller, value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  ...USAGE_COLUMNS,
  DENIED_COLUMN,
];
