import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useAdmin } from '../../api/use-admin.js';
import { type LiveTrafficSubscription, OverviewTopDocument, type OverviewTopQuery } from '../../generated/graphql.js';
import { Card } from '../../parts/card.js';
import { Empty } from '../../parts/feedback/empty.js';
import { Load } from '../../parts/feedback/load.js';
import { Page } from '../../parts/page.js';
import { RangePicker } from '../../parts/range/range-picker.js';
import { rangeInput } from '../../parts/range/shown-range.js';
import { type RangeInUse, useRange } from '../../parts/range/use-range.js';
import { type Column, DataTable } from '../../parts/table/data-table.js';
import { CallerName } from '../../parts/text/caller-name.js';
import { change, measuredRate, percent, short, whole } from '../../parts/text/format.js';
import { Name } from '../../parts/text/name.js';
import { commonText } from '../../text/common-text.js';
import { overviewText } from '../../text/overview-text.js';
import { DemoTraffic } from './demo-traffic.js';
import { HealthNotice } from './health-notice.js';
import { IntegrationsCard } from './integrations-card.js';
import { RegionsCard } from './regions-card.js';
import { Stat } from './stat.js';
import { TrafficCard } from './traffic-card.js';
import { type TrafficTotals, totalsOf } from './traffic-series.js';
import { useFirstRange } from './use-first-range.js';
import { useLiveTraffic } from './use-live-traffic.js';
import { type OverviewData, useOverview } from './use-overview.js';

const { busiest, mostDenied, stat, topCallers: topText } = overviewText;
const { column } = commonText;

/**
 * Shows the overview: the callers with the highest cost, and the denials. It shows current values,
 * values over a range, and the change since the previous range.
 */
export function OverviewPage() {
  const [search] = useSearchParams();
  const first = useFirstRange(search.get('range') === null);
  const range = useRange(first);
  const overview = useOverview(range, first !== undefined);
  // A separate request: over a long range with many callers it takes longer, and the rest must not
  // wait for it.
  const top = useAdmin(
    OverviewTopDocument,
    { range: rangeInput(range) },
    { everyMs: range.everyMs, enabled: first !== undefined },
  );
  const live = useLiveTraffic(range.isFollowed);
  return (
    <Page
      title={overviewText.title}
      lead={overviewText.lead}
      actions={<RangePicker range={range} presets={['15m', '1h', '3h', '24h', '7d', '30d', '90d']} />}
    >
      {live.isCut && (
        <div className="notice notice-warn" role="status">
          {overviewText.liveDisconnected}
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
  const seconds = (range.toMs - range.fromMs) / 1000;
  const liveDenied = live && live.throttled + live.maxCostExceeded + live.unavailable;
  const perSecond = live && 1000 / live.periodMs;
  const hear = live && perSecond && liveDenied !== undefined;
  const hasEarlier = data.pointsBefore.length > 0;
  const against = (of: (totals: TrafficTotals) => number) =>
    hasEarlier ? (change(of(now), of(before)) ?? null) : undefined;
  return (
    <div className="page-parts">
      <HealthNotice degraded={now.degraded} />
      <div className="stats">
        <Stat
          label={stat.costPerSecond}
          value={short(now.actualCost / seconds)}
          unit={stat.tokens}
          change={against(({ actualCost }) => actualCost)}
          now={hear ? stat.now(measuredRate(live.cost * perSecond)) : undefined}
        />
        <Stat
          label={stat.requests}
          value={short(now.requests)}
          title={whole(now.requests)}
          change={against(({ requests }) => requests)}
          now={hear ? stat.perSecondNow(measuredRate((live.admitted + liveDenied) * perSecond)) : undefined}
        />
        <Stat
          label={stat.denied}
          value={percent(now.requests > 0 ? now.denied / now.requests : 0)}
          unit={stat.deniedRequests(short(now.denied))}
          change={against(({ denied }) => denied)}
          isBad
          now={hear ? stat.perSecondNow(measuredRate(liveDenied * perSecond)) : undefined}
        />
        <Stat
          label={stat.wouldBeDenied}
          value={short(now.shadowDenied)}
          change={against(({ shadowDenied }) => shadowDenied)}
        />
      </div>
      <TrafficCard data={data} range={range} />
      <div className="columns">
        <Card title={topText.title} aside={<Link href="/callers">{topText.all}</Link>}>
          <Load query={top} rows={10}>
            {({ topCallers }) => (
              <DataTable
                name="top-callers"
                rows={topCallers.nodes}
                columns={CALLERS}
                keyOf={({ caller }) => `${caller.kind} ${caller.name} ${caller.tenant}`}
                empty={<Empty title={commonText.noTraffic.title}>{commonText.noTraffic.hint}</Empty>}
              />
            )}
          </Load>
        </Card>
        <Card title={mostDenied.title} aside={<Link href="/denials">{mostDenied.all}</Link>}>
          <Load query={top} rows={10}>
            {({ violations }) => (
              <DataTable
                name="top-denials"
                rows={violations.nodes}
                columns={DENIED}
                keyOf={({ caller, ruleName }) => `${caller.kind} ${caller.name} ${caller.tenant} ${ruleName}`}
                empty={<Empty title={mostDenied.empty}>{mostDenied.emptyHint}</Empty>}
              />
            )}
          </Load>
        </Card>
      </div>
      {top.data && <RegionsCard regions={top.data.topRegions.nodes} />}
      {top.data && <IntegrationsCard integrations={top.data.topIntegrations.nodes} live={live} />}
      {range.isFollowed && (
        <Card title={busiest.title} aside={<span>{busiest.hint}</span>}>
          <DataTable
            name="hot-callers"
            rows={live?.hotCallers ?? []}
            columns={HOT}
            keyOf={({ caller }) => `${caller.kind} ${caller.name} ${caller.tenant}`}
            empty={
              <Empty title={live ? busiest.empty : busiest.waiting}>
                {live ? busiest.emptyHint : busiest.waitingHint}
              </Empty>
            }
          />
        </Card>
      )}
      <DemoTraffic />
    </div>
  );
}

const CALLERS: Column<OverviewTopQuery['topCallers']['nodes'][number]>[] = [
  { title: column.caller, value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  {
    title: column.tokens,
    value: ({ actualCost }) => actualCost,
    show: ({ actualCost }) => short(actualCost),
    isNumber: true,
  },
  { title: column.share, value: ({ share }) => share, show: ({ share }) => percent(share), isNumber: true },
  { title: column.denied, value: ({ denied }) => denied, show: ({ denied }) => short(denied), isNumber: true },
];

const DENIED: Column<OverviewTopQuery['violations']['nodes'][number]>[] = [
  { title: column.caller, value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  { title: column.limit, value: ({ ruleName }) => ruleName, show: ({ ruleName }) => <Name>{ruleName}</Name> },
  { title: column.denied, value: ({ denied }) => denied, show: ({ denied }) => short(denied), isNumber: true },
  {
    title: column.shadowDenied,
    value: (row) => row.shadowDenied,
    show: (row) => short(row.shadowDenied),
    isNumber: true,
  },
];

const HOT: Column<LiveTrafficSubscription['liveTraffic']['hotCallers'][number]>[] = [
  { title: column.caller, value: ({ caller }) => caller.name, show: ({ caller }) => <CallerName caller={caller} /> },
  {
    title: busiest.column,
    value: ({ decisionsPerSecond }) => decisionsPerSecond,
    show: ({ decisionsPerSecond }) => busiest.perSecond(measuredRate(decisionsPerSecond)),
    isNumber: true,
  },
];
