import type { Bench } from './frame/bench.js';
import { METRICS, measureRefusal } from './refusals/measure-refusal.js';
import { REFUSALS, type RefusalName } from './refusals/requests.js';

const names = Object.keys(REFUSALS) as RefusalName[];

/** `BENCH_REQUESTS=1` prints every request of a refusal with its answer, not only the most expensive one. */
export const bench: Bench = {
  title: 'every refusal of a request: processor time of its most expensive request, each seen once, and what it pays',
  metrics: METRICS,
  variants: Object.fromEntries(names.map((name) => [name, measureRefusal(name)])),
  baselines: ['answered: one field'],
  rounds: 3,
};
