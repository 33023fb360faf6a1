import type { Bench, Sample } from './bench.js';
import type { FoundBench } from './find-benches.js';
import { type FreshProcess, startFreshProcess } from './fresh-process.js';
import type { Options } from './options.js';
import { median, type Spread, spreadOf } from './statistics.js';

/** Results of all rounds of a benchmark, by scenario and variant. */
export interface BenchResult {
  name: string;
  title: string;
  rounds: number;
  scenarios: Record<string, Record<string, VariantResult>>;
}

export interface VariantResult {
  metrics: Record<string, Spread>;
  /** Ratio of the value of this variant to the value of the baseline, by baseline and metric. */
  ratios: Record<string, Record<string, Spread>>;
}

/** Samples of the turns of a round. A variant that measures once per round has a single turn. */
export type Turns = readonly Sample[];

const FULL = { rounds: 5, measureMs: 1000, warmUpMs: 500 };
const QUICK = { rounds: 2, measureMs: 250, warmUpMs: 150 };

const TURNS = 10;
/**
 * Factor by which the turns of a scenario together exceed `measureMs`. They need more time, because
 * idle processes are slow at the start of a turn.
 */
const TURN_STRETCH = 4;

/**
 * Measures every variant once per round. In every second round and every second turn, the order of
 * the variants is reversed. So no variant always follows the same variant, and no variant always
 * runs first, while the machine is coldest.
 */
export async function runBench(
  found: FoundBench,
  options: Options,
  report: (progress: string) => void,
): Promise<BenchResult> {
  const { name, bench } = found;
  const rounds =
    options.rounds ?? (options.quick ? (bench.quickRounds ?? QUICK.rounds) : (bench.rounds ?? FULL.rounds));
  const times = options.quick ? QUICK : FULL;
  const variants = Object.keys(bench.variants);
  const samples: Record<string, Turns[]> = Object.fromEntries(variants.map((variant) => [variant, []]));
  for (let round = 0; round < rounds; round++) {
    const reportStep = (what: string) => report(`${name}: round ${round + 1} of ${rounds}, ${what}`);
    const running = new Map<string, FreshProcess>();
    try {
      for (const variant of round % 2 === 0 ? variants : [...variants].reverse()) {
        reportStep(variant);
        const started = await startFreshProcess(found, variant, times);
        if (started.sample) {
          samples[variant]!.push([started.sample]);
          await started.stop();
        } else running.set(variant, started);
      }
      const turns = await takeTurns(running, times.measureMs, reportStep, options.scenario);
      for (const [variant, taken] of Object.entries(turns)) samples[variant]!.push(taken);
    } finally {
      await Promise.all([...running.values()].map((one) => one.stop()));
    }
  }
  return { name, title: bench.title, rounds, scenarios: summarize(bench, samples) };
}

/**
 * Measures each scenario of the running variants: all variants warm up, then they take turns.
 * @param named text that the name of a scenario must contain
 */
export async function takeTurns(
  running: ReadonlyMap<string, Pick<FreshProcess, 'scenarios' | 'warmUpMs' | 'turn'>>,
  measureMs: number,
  reportStep: (what: string) => void,
  named = '',
): Promise<Record<string, Turns>> {
  const all = [...running];
  const known = [...new Set(all.flatMap(([, { scenarios }]) => scenarios))];
  const wanted = known.filter((scenario) => scenario.includes(named));
  if (all.length > 0 && wanted.length === 0) {
    throw new Error(`--scenario ${named}: no name of a scenario contains this text; there are: ${known.join('; ')}`);
  }
  const turns: Record<string, Sample[]> = Object.fromEntries(
    all.map(([variant]) => [variant, Array.from({ length: TURNS }, () => ({}))]),
  );
  for (const scenario of wanted) {
    reportStep(scenario);
    const taking = all.filter(([, { scenarios }]) => scenarios.includes(scenario));
    for (const [, one] of taking) await one.turn(scenario, one.warmUpMs);
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [variant, one] of turn % 2 === 0 ? taking : [...taking].reverse()) {
        turns[variant]![turn]![scenario] = await one.turn(scenario, (measureMs * TURN_STRETCH) / TURNS);
      }
    }
  }
  return turns;
}

/**
 * Turns the samples of all rounds into medians, ranges and ratios. Ratios are computed for each
 * turn, because a slowdown of the machine affects a variant and its baseline alike. So the median
 * of these ratios varies less than the ratio of two medians.
 */
export function summarize(
  bench: Pick<Bench, 'metrics' | 'baselines'>,
  samples: Readonly<Record<string, readonly Turns[]>>,
): BenchResult['scenarios'] {
  const variants = Object.keys(samples);
  const takesPart = (variant: string, scenario: string) =>
    samples[variant]?.every((turns) => turns.every((sample) => sample[scenario])) ?? false;
  /** Computes the median of the turns of each round, and returns the spread of these medians. */
  const overRounds = (variant: string, read: (sample: Sample, round: number, turn: number) => number): Spread =>
    spreadOf(samples[variant]!.map((turns, round) => median(turns.map((sample, turn) => read(sample, round, turn)))));

  const resultOf = (variant: string, scenario: string): VariantResult => ({
    metrics: Object.fromEntries(
      bench.metrics.map(({ name }) => [name, overRounds(variant, (sample) => sample[scenario]![name] ?? Number.NaN)]),
    ),
    ratios: Object.fromEntries(
      bench.baselines
        .filter((baseline) => baseline !== variant && takesPart(baseline, scenario))
        .map((baseline) => [
          baseline,
          Object.fromEntries(
            bench.metrics.map(({ name }) => [
              name,
              overRounds(
                variant,
                (sample, round, turn) => sample[scenario]![name]! / samples[baseline]![round]![turn]![scenario]![name]!,
              ),
            ]),
          ),
        ]),
    ),
  });
  const scenarios = new Set(variants.flatMap((variant) => samples[variant]!.flat().flatMap(Object.keys)));
  return Object.fromEntries(
    [...scenarios].map((scenario) => [
      scenario,
      Object.fromEntries(
        variants
          .filter((variant) => takesPart(variant, scenario))
          .map((variant) => [variant, resultOf(variant, scenario)]),
      ),
    ]),
  );
}
