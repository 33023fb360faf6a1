import type { Bench, Sample } from './bench.js';
import type { FoundBench } from './find-benches.js';
import { measureInFreshProcess } from './fresh-process.js';
import type { Options } from './options.js';
import { ratiosOf, type Spread, spreadOf } from './statistics.js';

/** What all rounds of a bench gave, per scenario and variant. */
export interface BenchResult {
  name: string;
  title: string;
  rounds: number;
  scenarios: Record<string, Record<string, VariantResult>>;
}

export interface VariantResult {
  metrics: Record<string, Spread>;
  /** Baseline to metric to how many times the baseline's value this one is. */
  ratios: Record<string, Record<string, Spread>>;
}

const FULL = { rounds: 5, measureMs: 1000, warmUpMs: 500 };
const QUICK = { rounds: 2, measureMs: 250, warmUpMs: 150 };

/**
 * Measures every variant once a round. Odd rounds go backwards, so that no variant always follows the same one, or
 * always has the machine at its coldest.
 */
export async function runBench(
  found: FoundBench,
  options: Options,
  report: (progress: string) => void,
): Promise<BenchResult> {
  const { name, bench } = found;
  const rounds = options.rounds ?? (options.quick ? QUICK.rounds : (bench.rounds ?? FULL.rounds));
  const { measureMs, warmUpMs } = options.quick ? QUICK : FULL;
  const variants = Object.keys(bench.variants);
  const samples: Record<string, Sample[]> = Object.fromEntries(variants.map((variant) => [variant, []]));
  for (let round = 0; round < rounds; round++) {
    for (const variant of round % 2 === 0 ? variants : [...variants].reverse()) {
      report(`${name}: round ${round + 1} of ${rounds}, ${variant}`);
      samples[variant]!.push(await measureInFreshProcess(found, variant, { measureMs, warmUpMs }));
    }
  }
  return { name, title: bench.title, rounds, scenarios: summarize(bench, samples) };
}

/** Turns the samples of all rounds into medians, ranges and ratios. */
export function summarize(
  bench: Pick<Bench, 'metrics' | 'baselines'>,
  samples: Readonly<Record<string, readonly Sample[]>>,
): BenchResult['scenarios'] {
  const variants = Object.keys(samples);
  const scenarios = new Set(variants.flatMap((variant) => samples[variant]!.flatMap((sample) => Object.keys(sample))));
  const valuesOf = (variant: string, scenario: string, metric: string) =>
    (samples[variant] ?? []).map((sample) => sample[scenario]?.[metric]).filter((value) => value !== undefined);

  const resultOf = (variant: string, scenario: string): VariantResult => ({
    metrics: Object.fromEntries(bench.metrics.map(({ name }) => [name, spreadOf(valuesOf(variant, scenario, name))])),
    ratios: Object.fromEntries(
      bench.baselines
        .filter((baseline) => baseline !== variant && samples[baseline]?.every((sample) => sample[scenario]))
        .map((baseline) => [
          baseline,
          Object.fromEntries(
            bench.metrics.map(({ name }) => [
              name,
              ratiosOf(valuesOf(variant, scenario, name), valuesOf(baseline, scenario, name)),
            ]),
          ),
        ]),
    ),
  });
  return Object.fromEntries(
    [...scenarios].map((scenario) => [
      scenario,
      Object.fromEntries(
        variants
          .filter((variant) => samples[variant]!.every((sample) => sample[scenario]))
          .map((variant) => [variant, resultOf(variant, scenario)]),
      ),
    ]),
  );
}
