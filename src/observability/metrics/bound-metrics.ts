import type { Histogram, Registry } from 'prom-client';
import { Counter } from './load-prom-client.js';

interface PlainHistogramOptions {
  name: string;
  help: string;
  /** Names of the labels. @default none */
  labels?: readonly string[];
  /** Upper bounds, ascending. */
  buckets: readonly number[];
  registry: Registry;
}

/** Records one observation. */
export type Observe = (value: number) => void;

interface Series {
  labels: Record<string, string>;
  /**
   * Number of observations per bucket. The last bucket counts the observations above all bounds.
   */
  counts: Float64Array;
  sum: number;
}

/**
 * Creates a histogram whose labels are set once per series, so that an observation needs only two
 * additions. The histogram of prom-client hashes the labels of each observation, which takes 1 to 2
 * µs per request. This histogram is formatted only when it is scraped.
 *
 * @returns a function that creates the series with the given labels
 */
export function createPlainHistogram({
  name,
  help,
  labels: labelNames = [],
  buckets,
  registry,
}: PlainHistogramOptions): (labels?: Record<string, string>) => Observe {
  const all: Series[] = [];

  function get() {
    const values = all.flatMap((one) => valuesOf(name, buckets, one));
    return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values });
  }
  // A registry only needs the name and `get` of a metric. docs/observability.md is generated from
  // the other members.
  registry.registerMetric({ name, help, type: 'histogram', labelNames, get } as unknown as Histogram);

  return (labels = {}) => {
    const series: Series = { labels, counts: new Float64Array(buckets.length + 1), sum: 0 };
    all.push(series);
    return (value) => {
      let index = 0;
      while (index < buckets.length && value > buckets[index]!) index++;
      series.counts[index]!++;
      series.sum += value;
    };
  };
}

function valuesOf(name: string, buckets: readonly number[], { labels, counts, sum }: Series) {
  let count = 0;
  const below = [...counts].map((found, index) => {
    count += found;
    return { metricName: `${name}_bucket`, labels: { le: buckets[index] ?? '+Inf', ...labels }, value: count };
  });
  return [
    ...below,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

interface PlainCounterOptions<Label extends string> {
  name: string;
  help: string;
  labels: readonly Label[];
  registry: Registry;
}

/**
 * The count of one combination of labels. The code that counts stores the cell and increments it.
 */
export interface Cell {
  count: number;
}

/**
 * Creates a counter whose labels are set once per combination, so that counting needs only one
 * addition. The counter of prom-client hashes the labels each time, which takes about 1 µs per
 * request. It therefore receives the counts only when it is scraped.
 *
 * @returns a function that creates the cell of a combination. Call it only once for each
 * combination
 */
export function createPlainCounter<Label extends string>({
  name,
  help,
  labels: labelNames,
  registry,
}: PlainCounterOptions<Label>): (labels: Record<Label, string>) => Cell {
  const cells: (Cell & { labels: Record<string, string> })[] = [];
  new Counter<string>({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count } of cells) this.inc(labels, count);
    },
  });
  return (labels) => {
    const cell = { labels, count: 0 };
    cells.push(cell);
    return cell;
  };
}

/** Registers a counter whose values `totals` returns at each scrape. */
export function showTotals({
  registry,
  name,
  help,
  label,
  totals,
}: {
  registry: Registry;
  name: string;
  help: string;
  label: string;
  totals(): Record<string, number>;
}): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(totals())) this.inc({ [label]: value }, count);
    },
  });
}
