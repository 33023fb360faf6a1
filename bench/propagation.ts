import type { Bench } from './frame/bench.js';
import { METRICS, propagate } from './rules/propagate.js';

export const bench: Bench = {
  title: 'time from the request of a change at one instance until the change is in force at another instance',
  metrics: METRICS,
  variants: {
    'by polling': propagate({ rules: 10, message: false }),
    'by message': propagate({ rules: 10, message: true }),
    'by message, 10,000 rules': propagate({ rules: 10_000, message: true }),
  },
  baselines: ['by polling'],
  redis: true,
};
