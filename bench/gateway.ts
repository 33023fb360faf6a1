import type { Precision } from '../src/model/limit-parameters.js';
import { createDemoSchema } from '../test/helpers/demo-schema.js';
import type { Bench, Variant } from './frame/bench.js';
import { type ProxyOptions, type StartedProxy, startGatewayProxy, startProxy } from './gateway/proxies.js';
import { startHelper } from './gateway/start-helper.js';
import { startLoadGenerator } from './http/load.js';

const IN_FLIGHT = 64;
const CALLERS = 1000;
/** Number of callers, so small that each caller is charged often enough to get a lease. */
const HOT_CALLERS = 5;

/**
 * Measures the typical operation through a proxy to an API with prepared responses. The API and the
 * load generator run in other processes.
 */
function measureProxy(
  start: (options: ProxyOptions) => Promise<StartedProxy>,
  { onRedis = false, precision = 'EXACT' }: { onRedis?: boolean; precision?: Precision } = {},
): Variant {
  return async ({ redisUrl, warmUpMs }) => {
    const upstream = await startHelper('upstream-process');
    const upstreamUrl = `http://127.0.0.1:${upstream.port}/graphql`;
    const proxy = await start({
      schema: createDemoSchema(),
      upstreamUrl,
      precision,
      ...(onRedis && { redis: redisUrl }),
    });
    const generator = startLoadGenerator();
    const typicalOf = (callers: number) => async (durationMs: number) => {
      const before = process.cpuUsage();
      const load = { url: proxy.url, operation: 'typical', connections: IN_FLIGHT, callers, durationMs } as const;
      const { requests, elapsedMs, p50Ms, p99Ms } = await generator.run(load);
      const { user, system } = process.cpuUsage(before);
      return {
        'operations/s': (requests / elapsedMs) * 1000,
        'p50 ms': p50Ms,
        'p99 ms': p99Ms,
        'proxy CPU us': (user + system) / requests,
      };
    };
    return {
      warmUpMs: 8 * warmUpMs,
      run: { typical: typicalOf(CALLERS), [`typical, ${HOT_CALLERS} callers`]: typicalOf(HOT_CALLERS) },
      async close() {
        generator.stop();
        await proxy.close();
        upstream.child.disconnect();
      },
    };
  };
}

export const bench: Bench = {
  title:
    `an API behind the gateway with six limits, and behind the same proxy without Tollgate, ${IN_FLIGHT} connections; ` +
    'the API and the load generator are in separate processes',
  metrics: [
    { name: 'operations/s', better: 'higher' },
    { name: 'p50 ms', better: 'lower' },
    { name: 'p99 ms', better: 'lower' },
    { name: 'proxy CPU us', better: 'lower' },
  ],
  variants: {
    proxy: measureProxy(startProxy),
    'gateway, memory': measureProxy(startGatewayProxy),
    'gateway, Redis': measureProxy(startGatewayProxy, { onRedis: true }),
    'gateway, Redis, leased': measureProxy(startGatewayProxy, { onRedis: true, precision: 'LEASED' }),
  },
  baselines: ['proxy'],
  redis: true,
};
