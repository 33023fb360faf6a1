import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { Card } from '../../parts/card.js';
import { NoTraffic } from '../../parts/feedback/no-traffic.js';
import { BUCKET_MS, rangeBefore, type TimeRange, zoomedRange } from '../../parts/range/shown-range.js';
import { type RangeInUse, withParam } from '../../parts/range/use-range.js';
import { short } from '../../parts/text/format.js';
import { commonText } from '../../text/common-text.js';
import { overviewText } from '../../text/overview-text.js';
import { TrafficChart } from './traffic-chart.js';
import { seriesOf, totalsOf, type UsagePoint } from './traffic-series.js';
import type { OverviewData } from './use-overview.js';

const { chart } = overviewText;

/** Shows the traffic over time. A button adds the values of the period before. */
export function TrafficCard({ data, range }: { data: OverviewData; range: RangeInUse }) {
  const [search, setSearch] = useSearchParams();
  const isCompared = search.get('compare') === 'on';
  const series = useSeries(data.points, range);
  const before = useSeries(data.pointsBefore, rangeBefore(range));
  const { requests, actualCost, deniedCost } = useMemo(() => totalsOf(data.points), [data.points]);
  return (
    <Card
      title={chart.title}
      aside={
        <>
          {isCompared && <span className="legend legend-before">{commonText.chart.before}</span>}
          <span>{chart.bucket[range.bucket]}</span>
          <button
            type="button"
            className="button button-small"
            aria-pressed={isCompared}
            onClick={() =>
              setSearch((params) => withParam(params, 'compare', isCompared ? null : 'on'), { replace: true })
            }
          >
            {chart.compare}
          </button>
        </>
      }
    >
      {requests === 0 ? (
        <NoTraffic />
      ) : (
        <TrafficChart
          series={series}
          before={isCompared ? before : undefined}
          labels={{ admitted: chart.admitted(short(actualCost)), denied: chart.denied(short(deniedCost)) }}
          isByDay={range.bucket === 'DAY'}
          onSelect={(from, to) => range.set(zoomedRange(from, to))}
        />
      )}
    </Card>
  );
}

function useSeries(points: readonly UsagePoint[], { fromMs, toMs, bucket }: TimeRange) {
  return useMemo(() => seriesOf(points, { fromMs, toMs, bucketMs: BUCKET_MS[bucket] }), [points, fromMs, toMs, bucket]);
}
