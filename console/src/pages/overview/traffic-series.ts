/** The part of a time bucket of usage that a chart needs. */
export interface UsagePoint {
  from: string;
  requests: number;
  denied: number;
  shadowDenied?: number | null;
  actualCost: number;
  deniedCost?: number | null;
  degraded?: number | null;
}

export interface TrafficTotals {
  requests: number;
  denied: number;
  shadowDenied: number;
  actualCost: number;
  deniedCost: number;
  degraded: number;
}

/** Returns the sums over all time buckets. */
export function totalsOf(points: readonly UsagePoint[]): TrafficTotals {
  const totals = { requests: 0, denied: 0, shadowDenied: 0, actualCost: 0, deniedCost: 0, degraded: 0 };
  for (const point of points) {
    totals.requests += point.requests;
    totals.denied += point.denied;
    totals.shadowDenied += point.shadowDenied ?? 0;
    totals.actualCost += point.actualCost;
    totals.deniedCost += point.deniedCost ?? 0;
    totals.degraded += point.degraded ?? 0;
  }
  return totals;
}

/** Seconds since 1970, admitted tokens per second, and denied tokens per second. */
export type TrafficSeries = [times: number[], admitted: number[], denied: number[]];

/**
 * Returns a value for each time bucket of the range. The API omits buckets without operations,
 * which become zero.
 */
export function seriesOf(
  points: readonly UsagePoint[],
  { fromMs, toMs, bucketMs }: { fromMs: number; toMs: number; bucketMs: number },
): TrafficSeries {
  const byStart = new Map(points.map((point) => [Date.parse(point.from), point]));
  const series: TrafficSeries = [[], [], []];
  const perSecond = (tokens: number) => tokens / (bucketMs / 1000);
  for (let ms = Math.floor(fromMs / bucketMs) * bucketMs; ms < toMs; ms += bucketMs) {
    const point = byStart.get(ms);
    series[0].push(ms / 1000);
    series[1].push(perSecond(point?.actualCost ?? 0));
    series[2].push(perSecond(point?.deniedCost ?? 0));
  }
  return series;
}
