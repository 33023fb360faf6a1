import type { Bench } from './frame/bench.js';
import { METRICS, measureRefusals } from './refusals/measure-refusals.js';

/**
 * `BENCH_REQUESTS=1` prints every request of a refusal with its answer, not only the most expensive one; any other text, those alone
 * that have it in their names.
 */
export const bench: Bench = {
  title: 'every refusal of a request: processor time of its most expensive request, each seen once, and what it pays',
  metrics: METRICS,
  variants: { refusal: measureRefusals },
  baselines: ['refusal'],
  rounds: 3,
  quickRounds: 1,
  // Some sixty requests, two to three seconds each.
  deadlineMs: 600_000,
};
