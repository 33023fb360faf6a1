import type { Histogram, Registry } from 'prom-client';
import { Counter } from './load-prom-client.js';

interface PlainHistogramOptions {
  name: string;
  help: string;
  /** @default none */
  labels?: readonly string[];
  /** Upper bounds, ascending. */
  buckets: readonly number[];
  registry: Registry;
}

/** Takes one observation. */
export type Observe = (value: number) => void;

interface Series {
  labels: Record<string, string>;
  /** How many observations fell into each bucket, the one above all bounds last. */
  counts: Float64Array;
  sum: number;
}

/**
 * A histogram whose series are bound once: an observation is two additions. prom-client's own hashes the labels of each
 * observation, which takes 1 to 2 µs on the way of every request; this one is put into words when it is scraped.
 *
 * @returns makes the series with the given labels
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
  // All that a registry asks of a metric is its name and `get`; docs/observability.md is printed from the rest.
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

/** The count of one combination of labels: the code that counts keeps it and adds to it. */
export interface Cell {
  count: number;
}

/**
 * A counter whose combinations of labels are bound once: counting is one addition, where prom-client's own hashes the
 * labels each time, about 1 µs on the way of every request. It is told the counts when it is scraped.
 *
 * @returns makes the cell of a combination; once for each
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

/** A counter whose values are kept elsewhere. */
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
