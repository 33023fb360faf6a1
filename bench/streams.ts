import type { Bench } from './frame/bench.js';
import { METRICS, measureStreams } from './streams/measure-streams.js';
import { plain, protectedInMemory, protectedOnRedis } from './streams/serve-streams.js';

export const bench: Bench = {
  title:
    'a graphql-ws server with idle and with talking subscriptions, each on its own WebSocket and of its own caller, ' +
    'with and without limits on connections, subscriptions and events; the memory includes that of graphql-ws',
  metrics: METRICS,
  variants: {
    'graphql-ws': measureStreams(plain),
    'tollgate, memory': measureStreams(protectedInMemory),
    'tollgate, Redis': measureStreams(protectedOnRedis),
  },
  baselines: ['graphql-ws'],
  redis: true,
  rounds: 3,
};
