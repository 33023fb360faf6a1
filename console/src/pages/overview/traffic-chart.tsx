import { useMemo } from 'react';
import { LazyChart } from '../../parts/chart/lazy-chart.js';
import type { StackedChartProps } from '../../parts/chart/stacked-chart.js';
import { commonText } from '../../text/common-text.js';
import type { TrafficSeries } from './traffic-series.js';

const { chart } = commonText;
const ADMITTED = [{ title: chart.admitted, color: '--accent' }];
const DENIED = [{ title: chart.denied, color: '--denied' }];

export interface TrafficChartProps {
  series: TrafficSeries;
  /**
   * Values of the previous period, with as many points as `series`. Undefined: they are not shown.
   */
  before?: TrafficSeries | undefined;
  /** Text alternatives of the two charts. */
  labels: { admitted: string; denied: string };
  /** Whether each point is a UTC day. */
  isByDay: boolean;
  /** Receives the range that the user has selected with the pointer. */
  onSelect?: (fromMs: number, toMs: number) => void;
}

/**
 * Shows the admitted and the denied tokens over time in two charts, one above the other. Each has
 * its own scale, so that many denied tokens do not flatten the admitted ones.
 */
export function TrafficChart({ series, before, labels, isByDay, onSelect }: TrafficChartProps) {
  const [ofAdmitted, ofDenied] = useMemo((): [StackedChartProps['data'], StackedChartProps['data']] => {
    const [times, admitted, denied] = series;
    return [
      [times, admitted],
      [times, denied],
    ];
  }, [series]);
  const shared = { isByDay, isLow: true, ...(onSelect && { onSelect }) };
  return (
    <>
      <h3 className="chart-title legend legend-admitted">{chart.admitted}</h3>
      <LazyChart {...shared} data={ofAdmitted} before={before?.[1]} layers={ADMITTED} label={labels.admitted} />
      <h3 className="chart-title legend legend-denied">{chart.denied}</h3>
      <LazyChart {...shared} data={ofDenied} before={before?.[2]} layers={DENIED} label={labels.denied} />
    </>
  );
}
