import type { Distribution } from './generator.js';

/** One line of `/metrics`. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Current values of a platform's `/metrics`. */
export interface Metrics {
  /** Returns the sum of all series with this name and these labels, or 0 if there are none. */
  sum(name: string, labels?: Record<string, string>): number;
  /** Returns the counts of a histogram by upper bound, in seconds. */
  buckets(name: string): Map<number, number>;
}

export async function readMetrics(url: string): Promise<Metrics> {
  const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
  const samples = text.split('\n').flatMap(parseLine);
  return {
    sum: (name, labels = {}) =>
      samples
        .filter((sample) => sample.name === name)
        .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0),
    buckets: (name) => {
      const counts = new Map<number, number>();
      for (const sample of samples.filter((one) => one.name === `${name}_bucket`)) {
        const bound = sample.labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(sample.labels['le']);
        counts.set(bound, (counts.get(bound) ?? 0) + sample.value);
      }
      return counts;
    },
  };
}

function parseLine(line: string): Sample[] {
  const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
  if (name === undefined) return [];
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]): [string, string] => [label!, text!]);
  return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
}

const DECISIONS = 'tollgate_decision_duration_seconds';

/**
 * Returns the latency of the decisions between two readings, in milliseconds. Values are
 * interpolated linearly within a bucket. `max` is the upper bound of the highest bucket with a
 * decision.
 */
export function decisionLatency(before: Metrics, after: Metrics): Distribution {
  const earlier = before.buckets(DECISIONS);
  const counts = [...after.buckets(DECISIONS)]
    .map(([bound, count]): [number, number] => [bound, count - (earlier.get(bound) ?? 0)])
    .sort(([a], [b]) => a - b);
  const total = counts.at(-1)?.[1] ?? 0;
  const at = (share: number): number => {
    let [lower, below] = [0, 0];
    for (const [bound, count] of counts) {
      if (count >= share * total && count > below) {
        return (share === 1 ? bound : lower + ((bound - lower) * (share * total - below)) / (count - below)) * 1000;
      }
      [lower, below] = [bound, count];
    }
    return Number.NaN;
  };
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1) };
}
