import type { Registry } from 'prom-client';

/** The samples of a scrape, by name and labels as they are written there: `name{a="b"}`. */
export type Samples = ReadonlyMap<string, number>;

/** Reads Prometheus' text format. */
export function parseSamples(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

export async function scrape(registry: Registry): Promise<Samples> {
  return parseSamples(await registry.metrics());
}

/** The sum of all samples of a name, whatever their labels. */
export function sumOf(samples: Samples, name: string): number {
  let sum = 0;
  for (const [sample, value] of samples) if (sample === name || sample.startsWith(`${name}{`)) sum += value;
  return sum;
}
