import { Suspense } from 'react';
import { ErrorBoundary } from '../../app/error-boundary.js';
import { inChunk } from '../../app/in-chunk.js';
import type { StackedChartProps } from './stacked-chart.js';

const { component: Chart, load } = inChunk<StackedChartProps>(
  async () => (await import('./stacked-chart.js')).StackedChart,
);
// While the page asks for what it draws. Where it cannot be had, that is told once there is a chart to be shown.
load().catch(() => {});

/** A chart; its place is kept until it is loaded. Where it cannot be loaded, the rest of the page stays. */
export function LazyChart(props: StackedChartProps) {
  return (
    <ErrorBoundary>
      <Suspense fallback={<div className="chart" />}>
        <Chart {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
