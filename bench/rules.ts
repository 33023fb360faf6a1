import type { Bench } from './frame/bench.js';
import { decide, METRICS } from './rules/decide.js';

export const bench: Bench = {
  title: 'one decision, including the look-up of the subject, by the number of stored rules and subjects',
  metrics: METRICS,
  variants: {
    '10 rules': decide({ rules: 10, subjects: 100_000 }),
    '10,000 rules': decide({ rules: 10_000, subjects: 100_000 }),
    '10 rules, 1,000 subjects': decide({ rules: 10, subjects: 1000 }),
  },
  baselines: ['10 rules'],
  redis: true,
};
