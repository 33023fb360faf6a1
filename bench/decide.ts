import { byHttp, pingByHttp } from './decide/by-http.js';
import { inProcess } from './decide/in-process.js';
import { METRICS } from './decision/measure-decisions.js';
import { tollgate } from './decision/tollgate.js';
import type { Bench } from './frame/bench.js';

export const bench: Bench = {
  title: 'one decision for another server: six limits in three partitions, 1,000 users',
  metrics: [...METRICS, { name: 'p99 ms', better: 'lower' }],
  variants: { 'limiter.charge': tollgate, decide: inProcess, 'decide by HTTP': byHttp, 'PING by HTTP': pingByHttp },
  baselines: ['limiter.charge', 'PING by HTTP'],
  redis: true,
};
