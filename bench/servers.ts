import type { Bench } from './frame/bench.js';
import { METRICS, measureServer } from './servers/measure-server.js';
import { startApollo, startGraphqlHttp, startProtect } from './servers/start-servers.js';

export const bench: Bench = {
  title:
    'the sample API with six limits and counters in memory, over HTTP, behind three servers: Apollo Server, and ' +
    'graphql-js with `protect`, both in the HTTP server of the platform, and graphql-http in an HTTP server of Node',
  metrics: METRICS,
  variants: {
    'Apollo Server': measureServer(() => startApollo()),
    'graphql-js': measureServer(() => startProtect()),
    'graphql-http': measureServer(startGraphqlHttp),
  },
  baselines: ['Apollo Server'],
  rounds: 3,
};
