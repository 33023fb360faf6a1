import { useMemo } from 'react';
import { Link } from 'wouter';
import { serverNow } from '../../api/server-clock.js';
import { useAdmin } from '../../api/use-admin.js';
import {
  CallerUsageDocument,
  type CallerUsageQuery,
  type ChangeInListFragment,
  DenialsDocument,
} from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { BUCKET_MS, rangeInput, readRange, type TimeRange } from '../../parts/range/shown-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { DENIED_COLUMN, USAGE_COLUMNS } from '../../parts/table/usage-columns.js';
import type { CallerParts } from '../../parts/text/caller-path.js';
import { whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { callersText } from '../../text/callers-text.js';
import { commonText } from '../../text/common-text.js';
import { DenialActions, type DenialRow } from '../denials/denial-actions.js';
import { denialColumns } from '../denials/denial-columns.js';
import { CHANGE_COLUMNS } from '../history/change-columns.js';
import { hasSubscriptions } from '../operations/has-subscriptions.js';
import { TrafficChart } from '../overview/traffic-chart.js';
import { seriesOf, totalsOf } from '../overview/traffic-series.js';

const { column } = commonText;

const MOST_DENIALS = 10;
/** Interval of requests while a caller has no usage, and afterwards, in milliseconds. */
const EMPTY_MS = 5_000;
const FILLED_MS = 60_000;
/** Interval of requests for denials, in milliseconds. */
const DENIALS_MS = 10_000;

/** Columns of the denials of one caller. */
function ownDenialColumns(rows: readonly DenialRow[]): Column<DenialRow>[] {
  return denialColumns(rows).filter(({ title }) => title !== column.caller);
}

/**
 * Returns the thirty days before the page was opened. The range does not move, because values by
 * day hardly change while the page is open.
 */
function useThirtyDays() {
  return useMemo(() => readRange('30d', serverNow()), []);
}

/** Reads the usage of a caller. All parts of the page share one request. */
function useUsage(who: CallerParts, range: TimeRange) {
  return useAdmin(
    CallerUsageDocument,
    { range: rangeInput(range), filter: who },
    {
      about: JSON.stringify(who),
      everyMs: (data) => (data?.topOperations.nodes.length === 0 ? EMPTY_MS : FILLED_MS),
    },
  );
}

/** Shows the usage of a caller in the last thirty days. */
export function CallerUsage({ who }: { who: CallerParts }) {
  const range = useThirtyDays();
  return (
    <Card title={callersText.usage.title} className="card-charts">
      <Load query={useUsage(who, range)} rows={8}>
        {({ usage: { nodes } }) => <UsageChart points={nodes} range={range} />}
      </Load>
    </Card>
  );
}

/** Operations and denials of a caller in the last thirty days. */
export function CallerRecords({ who }: { who: CallerParts }) {
  const range = useThirtyDays();
  const usage = useUsage(who, range);
  const denials = useAdmin(
    DenialsDocument,
    { range: rangeInput(range), filter: who, after: null },
    { about: JSON.stringify(who), everyMs: DENIALS_MS },
  );
  return (
    <>
      <Card title={callersText.operations.title}>
        <Load query={usage} rows={4}>
          {({ topOperations: { nodes } }) => (
            <>
              <DataTable
                name="operations"
                rows={nodes}
                columns={OPERATIONS}
                keyOf={({ operation }) => `${operation.type} ${operation.name}`}
                empty={<Empty title={callersText.usage.empty}>{callersText.usage.emptyHint}</Empty>}
              />
              {hasSubscriptions(nodes) && <p className="card-note">{commonText.eventsNote}</p>}
            </>
          )}
        </Load>
      </Card>
      <Card title={callersText.denials.title} aside={<Link href={denialsPath(who)}>{callersText.denials.all}</Link>}>
        <Load query={denials} rows={4}>
          {({ denials: { nodes } }) => (
            <>
              <DataTable
                name="denials"
                rows={nodes.slice(0, MOST_DENIALS)}
                columns={ownDenialColumns(nodes)}
                keyOf={({ at }) => at}
                actions={(denial) => <DenialActions denial={denial} />}
                empty={<Empty title={callersText.denials.empty}>{callersText.denials.emptyHint}</Empty>}
              />
              {nodes.length > 0 && <p className="card-note">{callersText.denials.sample}</p>}
            </>
          )}
        </Load>
      </Card>
    </>
  );
}

/** Shows the history of the stored data of a caller. */
export function CallerHistory({ changes }: { changes: ChangeInListFragment[] }) {
  return (
    <DataTable
      name="changes"
      rows={changes}
      columns={CHANGE_COLUMNS}
      keyOf={({ id }) => id}
      empty={<Empty title={callersText.history.empty}>{callersText.history.emptyHint}</Empty>}
    />
  );
}

function UsageChart({ points, range }: { points: CallerUsageQuery['usage']['nodes']; range: TimeRange }) {
  const { fromMs, toMs } = range;
  const series = useMemo(() => seriesOf(points, { fromMs, toMs, bucketMs: BUCKET_MS.DAY }), [points, fromMs, toMs]);
  const totals = totalsOf(points);
  if (totals.requests === 0) return <Empty title={callersText.usage.empty}>{callersText.usage.emptyHint}</Empty>;
  const text = callersText.usage.summary(whole(totals.requests), whole(totals.denied), whole(totals.actualCost));
  const labels = { admitted: callersText.usage.admitted(text), denied: callersText.usage.denied(text) };
  return (
    <>
      <TrafficChart series={series} labels={labels} isByDay />
      <p className="card-note">{text}.</p>
    </>
  );
}

function denialsPath(who: CallerParts): string {
  const search = new URLSearchParams({ range: '30d' });
  for (const name of ['user', 'tenant', 'apiKey', 'ip'] as const) if (who[name]) search.set(name, who[name]);
  return `/denials?${search}`;
}

const OPERATIONS: Column<CallerUsageQuery['topOperations']['nodes'][number]>[] = [
  {
    title: column.operation,
    value: ({ operation }) => operation.name,
    show: ({ operation: { name, type } }) =>
      name ? (
        <Link href={`/operations?${new URLSearchParams({ operation: name })}`}>
          <Name>{name}</Name>
        </Link>
      ) : (
        <em className="muted">{commonText.unnamed(type)}</em>
      ),
  },
  ...USAGE_COLUMNS,
  DENIED_COLUMN,
];
