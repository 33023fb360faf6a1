import { bare } from './cluster/bare.js';
import { METRICS } from './cluster/measure-on-cluster.js';
import { tollgate, tollgateLeased, tollgateLeasedLong } from './cluster/tollgate.js';
import type { Bench } from './frame/bench.js';

export const bench: Bench = {
  title:
    'one decision on a Redis Cluster of three primaries, and on one Redis, compared with a one-key script, 1,000 users',
  metrics: METRICS,
  variants: {
    tollgate,
    'tollgate, leased': tollgateLeased,
    'tollgate, leased for 1 s': tollgateLeasedLong,
    'tollgate, one Redis': tollgate,
    bare,
    'bare, one Redis': bare,
  },
  baselines: ['bare', 'tollgate', 'tollgate, one Redis', 'bare, one Redis'],
  redis: {
    tollgate: 'cluster',
    'tollgate, leased': 'cluster',
    'tollgate, leased for 1 s': 'cluster',
    'tollgate, one Redis': 'one',
    bare: 'cluster',
    'bare, one Redis': 'one',
  },
};
