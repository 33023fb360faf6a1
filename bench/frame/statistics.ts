/** Spread of a metric over all rounds. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('median: expected at least one value, got none');
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Returns the percentile of the values at `share` (0 to 1), by the nearest-rank method. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('percentile: expected at least one value, got none');
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}
