import { readFileSync, writeFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import type { Bench, Variant } from './frame/bench.js';
import { type ProxyOptions, type StartedProxy, startGatewayProxy, startProxy } from './gateway/proxies.js';
import { startHelper } from './gateway/start-helper.js';

const MEBIBYTE = 2 ** 20;
const LARGE_BYTES = 100 * MEBIBYTE;
const READERS = 1000;
/** Size of a response. It does not fit into the buffers of two connections. */
const EACH_BYTES = 4 * MEBIBYTE;

/**
 * Returns the peak memory of this process since the previous call, as the kernel reports it, and
 * resets the peak.
 */
function peakBytes(): number {
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
  writeFileSync('/proc/self/clear_refs', '5');
  return peak;
}

/**
 * Measures the additional memory of a proxy for a large response, and for clients that do not read
 * their responses.
 */
function measureMemory(start: (options: ProxyOptions) => Promise<StartedProxy>): Variant {
  return async () => {
    const helper = await startHelper('slow-readers-process');
    const proxy = await start({
      schema: buildSchema('type Query { text: String }'),
      upstreamUrl: `http://127.0.0.1:${helper.port}/graphql`,
      maxRequests: 4 * READERS,
    });
    const ask = (readers: number, bytes: number) =>
      new Promise((resolve) => {
        helper.child.once('message', resolve);
        helper.child.send({ url: proxy.url, readers, bytes });
      });
    // The first request loads code, whose memory must not be included in the measurement.
    await ask(0, 1000);
    peakBytes();
    const before = peakBytes();
    await ask(0, LARGE_BYTES);
    const large = peakBytes();
    await ask(READERS, EACH_BYTES);
    const slow = peakBytes();
    helper.child.disconnect();
    await proxy.close();
    const sample = (bytes: number) => ({ 'MiB above start': (bytes - before) / MEBIBYTE });
    return {
      'an answer of 100 MiB': sample(large),
      [`${READERS} readers who take nothing`]: sample(slow),
    };
  };
}

export const bench: Bench = {
  title: 'memory that the gateway, and the same proxy without Tollgate, use in addition to the memory after the start',
  metrics: [{ name: 'MiB above start', better: 'lower' }],
  variants: { proxy: measureMemory(startProxy), gateway: measureMemory(startGatewayProxy) },
  baselines: ['proxy'],
  rounds: 3,
  // Gigabytes pass through the proxy, which takes minutes on a busy machine.
  deadlineMs: 600_000,
};
