import { Suspense } from 'react';
import { ErrorBoundary } from '../../app/error-boundary.js';
import { inChunk } from '../../app/in-chunk.js';
import type { StackedChartProps } from './stacked-chart.js';

const { component: Chart, load } = inChunk<StackedChartProps>(
  async () => (await import('./stacked-chart.js')).StackedChart,
);
// The chunk loads while the page requests its data. If loading fails, the first chart shows the
// error.
load().catch(() => {});

/**
 * Shows a chart with a placeholder until it is loaded. If it cannot be loaded, the rest of the page
 * stays.
 */
export function LazyChart(props: StackedChartProps) {
  return (
    <ErrorBoundary>
      <Suspense fallback={<div className={props.isLow ? 'chart chart-low' : 'chart'} />}>
        <Chart {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
