import type { Registry } from 'prom-client';

/** Samples of a scrape, by name and labels in the notation of the scrape: `name{a="b"}`. */
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

/** Returns the sum of all samples of a name, with any labels. */
export function sumOf(samples: Samples, name: string): number {
  let sum = 0;
  for (const [sample, value] of samples) if (sample === name || sample.startsWith(`${name}{`)) sum += value;
  return sum;
}
