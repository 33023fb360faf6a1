import type { Bench } from './frame/bench.js';
import { METRICS, measureByTurns } from './http/by-turns.js';

export const bench: Bench = {
  title:
    'the sample API over HTTP with six limits and without any, two servers loaded by turns: what the plugin leaves of the ' +
    'throughput with 64 connections, and by how much it delays a request on the only one',
  metrics: METRICS,
  variants: { memory: measureByTurns('memory'), Redis: measureByTurns('Redis') },
  baselines: ['memory'],
  redis: true,
};
