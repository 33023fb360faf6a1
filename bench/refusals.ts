import type { Bench } from './frame/bench.js';
import { METRICS, measureRefusals } from './refusals/measure-refusals.js';

/** `BENCH_REQUESTS=1` prints every request of a refusal with its answer, not only the most expensive one. */
export const bench: Bench = {
  title: 'every refusal of a request: processor time of its most expensive request, each seen once, and what it pays',
  metrics: METRICS,
  variants: { refusal: measureRefusals },
  baselines: ['refusal'],
  rounds: 3,
  quickRounds: 1,
  // Some sixty requests, a second each.
  deadlineMs: 300_000,
};
