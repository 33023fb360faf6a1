import { lazy, Suspense } from 'react';
import type { StackedChartProps } from './stacked-chart.js';

const Chart = lazy(async () => ({ default: (await import('./stacked-chart.js')).StackedChart }));

/** A chart, loaded when there is one to draw; its place is kept meanwhile. */
export function LazyChart(props: StackedChartProps) {
  return (
    <Suspense fallback={<div className="chart" />}>
      <Chart {...props} />
    </Suspense>
  );
}
