import type { Bench } from './frame/bench.js';
import { becomeReady } from './rules/become-ready.js';
import { startEmbedded } from './rules/start-embedded.js';

export const bench: Bench = {
  title: 'time until a cold instance is ready, by the number of rules and subjects, and with embedded PostgreSQL',
  metrics: [{ name: 'ready ms', better: 'lower' }],
  variants: {
    '10 rules': becomeReady({ rules: 10, subjects: 1000 }),
    '10,000 rules, 100,000 subjects': becomeReady({ rules: 10_000, subjects: 100_000 }),
    'embedded, first start': startEmbedded({ isFirst: true }),
    'embedded, second start': startEmbedded({ isFirst: false }),
  },
  baselines: ['10 rules'],
  redis: true,
};
