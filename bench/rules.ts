import type { Bench } from './frame/bench.js';
import { decide, METRICS } from './rules/decide.js';

export const bench: Bench = {
  title: 'one decision, from subject to verdict, by the number of rules and subjects there are',
  metrics: METRICS,
  variants: {
    '10 rules': decide({ rules: 10, subjects: 100_000 }),
    '10,000 rules': decide({ rules: 10_000, subjects: 100_000 }),
    '10 rules, 1,000 subjects': decide({ rules: 10, subjects: 1000 }),
  },
  baselines: ['10 rules'],
  redis: true,
};
