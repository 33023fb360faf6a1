import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { type LiveTrafficSubscription, OverviewTopDocument, type OverviewTopQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { LazyChart } from '../../parts/chart/lazy-chart.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { NoTraffic } from '../../parts/feedback/no-traffic.js';
import { Page } from '../../parts/page.js';
import { RangePicker } from '../../parts/range/range-picker.js';
import { BUCKET_MS, rangeInput, writeRange } from '../../parts/range/shown-range.js';
import { type RangeInUse, useRange } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { change, measuredRate, percent, short, whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { DemoTraffic } from './demo-traffic.js';
import { HealthNotice } from './health-notice.js';
import { Stat } from './stat.js';
import { seriesOf, type TrafficTotals, totalsOf } from './traffic-series.js';
import { useLiveTraffic } from './use-live-traffic.js';
import { type OverviewData, useOverview } from './use-overview.js';

const LAYERS = [
  { title: 'Admitted', color: '--accent' },
  { title: 'Denied', color: '--denied' },
];

/**
 * Shows the page of the callers that spend most and of the denials: now, over a range, and compared
 * with the range before.
 */
export function OverviewPage() {
  const range = useRange();
  const overview = useOverview(range);
  // A separate request: over a long range with many callers it takes longer, and the rest must not
  // wait for it.
  const top = useAdmin(OverviewTopDocument, { range: rangeInput(range) }, { everyMs: range.everyMs });
  const live = useLiveTraffic(range.isFollowed);
  return (
    <Page
      title="Overview"
      lead="Who spends what, and who was denied."
      actions={<RangePicker range={range} presets={['15m', '1h', '3h', '24h', '7d', '30d', '90d']} />}
    >
      {live.isCut && (
        <div className="notice notice-warn" role="status">
          The live stream is cut; it is being opened again.
        </div>
      )}
      <Load query={overview} rows={9}>
        {(data) => <Filled data={data} top={top} range={range} live={live.latest} />}
      </Load>
    </Page>
  );
}

interface FilledProps {
  data: OverviewData;
  top: UseQueryResult<OverviewTopQuery, Error>;
  range: RangeInUse;
  live: ReturnType<typeof useLiveTraffic>['latest'];
}

function Filled({ data, top, range, live }: FilledProps) {
  const now = useMemo(() => totalsOf(data.points), [data.points]);
  const before = useMemo(() => totalsOf(data.pointsBefore), [data.pointsBefore]);
  const { fromMs, toMs, bucket } = range;
  const series = useMemo(
    () => seriesOf(data.points, { fromMs, toMs, bucketMs: BUCKET_MS[bucket] }),
    [data.points, fromMs, toMs, bucket],
  );
  const seconds = (toMs - fromMs) / 1000;
  const liveDenied = live && live.throttled + live.maxCostExceeded + live.unavailable;
  const perSecond = live && 1000 / live.periodMs;
  const hear = live && perSecond && liveDenied !== undefined;
  const against = (of: (totals: TrafficTotals) => number) => change(of(now), of(before));
  return (
    <div className="page-parts">
      <HealthNotice degraded={now.degraded} />
      <div className="stats">
        <Stat
          label="Cost a second"
          value={short(now.actualCost / seconds)}
          unit="tokens"
          change={against(({ actualCost }) => actualCost)}
          now={hear ? `${measuredRate(live.cost * perSecond)} now` : undefined}
        />
        <Stat
          label="Requests"
          value={short(now.requests)}
          title={whole(now.requests)}
          change={against(({ requests }) => requests)}
          now={hear ? `${measuredRate((live.admitted + liveDenied) * perSecond)}/s now` : undefined}
        />
        <Stat
          label="Denied"
          value={percent(now.requests > 0 ? now.denied / now.requests : 0)}
          unit={`${short(now.denied)} requests`}
          change={against(({ denied }) => denied)}
          isBad
          now={hear ? `${measuredRate(liveDenied * perSecond)}/s now` : undefined}
        />
        <Stat
          label="Denied by shadow rules"
          value={short(now.shadowDenied)}
          unit="would have been"
          change={against(({ shadowDenied }) => shadowDenied)}
        />
      </div>
      <Card
        title="Tokens a second"
        aside={
          <>
            <span className="legend legend-admitted">Admitted</span>
            <span className="legend legend-denied">Denied</span>
            <span>by {bucket === 'DAY' ? 'day (UTC)' : bucket.toLowerCase()}</span>
          </>
        }
      >
        {now.requests === 0 ? (
          <NoTraffic />
        ) : (
          <LazyChart
            data={series}
            layers={LAYERS}
            isByDay={bucket === 'DAY'}
            label={`Tokens a second over time: ${short(now.actualCost)} tokens admitted, ${short(now.deniedCost)} denied in all`}
            onSelect={(from, to) => range.set(writeRange(from, to))}
          />
        )}
      </Card>
      <div className="columns">
        <Card title="Most expensive callers" aside={<Link href="/callers">All callers</Link>}>
          <Load query={top} rows={10}>
            {({ topCallers }) => (
              <DataTable
                name="top-callers"
                rows={topCallers.nodes}
                columns={CALLERS}
                keyOf={({ caller }) => `${caller.kind} ${caller.name} ${caller.tenant}`}
                empty={<Empty title="No caller has spent anything" />}
              />
            )}
          </Load>
        </Card>
        <Card title="Most denied" aside={<Link href="/denials">All denials</Link>}>
          <Load query={top} rows={10}>
            {({ violations }) => (
              <DataTable
                name="top-denials"
                rows={violations.nodes}
                columns={DENIED}
                keyOf={({ caller, ruleName }) => `${caller.kind} ${caller.name} ${caller.tenant} ${ruleName}`}
                empty={<Empty title="Nobody was denied" />}
              />
            )}
          </Load>
        </Card>
      </div>
      {range.isFollowed && (
        <Card title="Busiest now" aside={<span>decisions a second, of all processes</span>}>
          <DataTable
            name="hot-callers"
            rows={live?.hotCallers ?? []}
            columns={HOT}
            keyOf={({ caller }) => `${caller.kind} ${caller.name} ${caller.tenant}`}
            empty={<Empty title={live ? 'No caller asks anything' : 'Nothing was heard yet'} />}
          />
        </Card>
      )}
      <DemoTraffic />
    </div>
  );
}

const CALLERS: Column<OverviewTopQuery['topCallers']['nodes'][number]>[] = [
  { title: 'Caller', value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  {
    title: 'Tokens',
    value: ({ actualCost }) => actualCost,
    show: ({ actualCost }) => short(actualCost),
    isNumber: true,
  },
  { title: 'Share', value: ({ share }) => share, show: ({ share }) => percent(share), isNumber: true },
  { title: 'Denied', value: ({ denied }) => denied, show: ({ denied }) => short(denied), isNumber: true },
];

const DENIED: Column<OverviewTopQuery['violations']['nodes'][number]>[] = [
  { title: 'Caller', value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  { title: 'Limit', value: ({ ruleName }) => ruleName, show: ({ ruleName }) => <Name>{ruleName}</Name> },
  { title: 'Denied', value: ({ denied }) => denied, show: ({ denied }) => short(denied), isNumber: true },
  { title: 'In shadow', value: (row) => row.shadowDenied, show: (row) => short(row.shadowDenied), isNumber: true },
];

const HOT: Column<LiveTrafficSubscription['liveTraffic']['hotCallers'][number]>[] = [
  { title: 'Caller', value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  {
    title: 'Decisions a second',
    value: ({ decisionsPerSecond }) => decisionsPerSecond,
    show: ({ decisionsPerSecond }) => `${measuredRate(decisionsPerSecond)}/s`,
    isNumber: true,
  },
];
