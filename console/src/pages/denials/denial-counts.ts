/** The part of a time bucket of usage that the chart needs. */
export interface DenialPoint {
  from: string;
  denied: number;
  shadowDenied?: number | null;
}

/** Numbers of denials in each time bucket of a range, with the starts of the buckets in seconds. */
interface DenialCounts {
  times: number[];
  denied: number[];
  shadowDenied: number[];
}

/**
 * Returns the numbers for each time bucket of the range. The API omits buckets without operations,
 * which become zero.
 */
export function denialCounts(
  points: readonly DenialPoint[],
  { fromMs, toMs, bucketMs }: { fromMs: number; toMs: number; bucketMs: number },
): DenialCounts {
  const byStart = new Map(points.map((point) => [Date.parse(point.from), point]));
  const counts: DenialCounts = { times: [], denied: [], shadowDenied: [] };
  for (let ms = Math.floor(fromMs / bucketMs) * bucketMs; ms < toMs; ms += bucketMs) {
    const point = byStart.get(ms);
    counts.times.push(ms / 1000);
    counts.denied.push(point?.denied ?? 0);
    counts.shadowDenied.push(point?.shadowDenied ?? 0);
  }
  return counts;
}
