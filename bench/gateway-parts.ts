import { buildSchema } from 'graphql';
import type { Bench, Variant } from './frame/bench.js';
import { type ProxyOptions, type StartedProxy, startGatewayProxy, startProxy } from './gateway/proxies.js';
import { startHelper } from './gateway/start-helper.js';

const SCHEMA = `type Query { item: String, more: String }
directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT`;

/** How much later than the API has sent it the first part of an answer reaches its reader, through a proxy. */
function measureFirstPart(start: (options: ProxyOptions) => Promise<StartedProxy>): Variant {
  return async ({ warmUpMs }) => {
    const helper = await startHelper('parts-process');
    const upstreamUrl = `http://127.0.0.1:${helper.port}/graphql`;
    const proxy = await start({ schema: buildSchema(SCHEMA), upstreamUrl });
    return {
      warmUpMs: 4 * warmUpMs,
      run: {
        async 'one at a time'(durationMs) {
          const measured = new Promise<{ p50Ms: number; p99Ms: number }>((resolve) =>
            helper.child.once('message', resolve),
          );
          helper.child.send({ url: proxy.url, durationMs });
          const { p50Ms, p99Ms } = await measured;
          return { 'first part p50 ms': p50Ms, 'first part p99 ms': p99Ms };
        },
      },
      async close() {
        await proxy.close();
        helper.child.disconnect();
      },
    };
  };
}

export const bench: Bench = {
  title: 'how much later than the API has sent it the first part of an answer reaches its reader',
  metrics: [
    { name: 'first part p50 ms', better: 'lower' },
    { name: 'first part p99 ms', better: 'lower' },
  ],
  variants: { proxy: measureFirstPart(startProxy), gateway: measureFirstPart(startGatewayProxy) },
  baselines: ['proxy'],
};
