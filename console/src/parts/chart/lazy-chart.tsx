import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../../app/error-boundary.js';
import type { StackedChartProps } from './stacked-chart.js';

const Chart = lazy(async () => ({ default: (await import('./stacked-chart.js')).StackedChart }));

/** A chart, loaded when there is one to draw; its place is kept meanwhile. Where it cannot be loaded, the rest of the page stays. */
export function LazyChart(props: StackedChartProps) {
  return (
    <ErrorBoundary>
      <Suspense fallback={<div className="chart" />}>
        <Chart {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
