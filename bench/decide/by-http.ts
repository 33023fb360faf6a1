import { Redis } from 'ioredis';
import { METRICS } from '../decision/measure-decisions.js';
import type { Variant } from '../frame/bench.js';
import { redisCpuUs } from '../frame/redis-cpu.js';
import { type AskedLoad, startLoad } from './load.js';
import { openShop, serveShop } from './shop.js';

const BATCHES = { batchSize: 100, inFlight: 4 };
const SINGLE = { batchSize: 1, inFlight: 1, ratePerSecond: 1000 };

/**
 * Measures the service over HTTP on the loopback address. Another process sends the requests. Nothing
 * settles the decisions, so the memory of unsettled operations is full after 13,000 of them.
 */
export const byHttp: Variant = async ({ redisUrl, warmUpMs }) => {
  const shop = await openShop(redisUrl);
  const { port, server } = await serveShop(shop);
  const load = startLoad();
  const observer = new Redis(redisUrl);

  async function measure(asked: Omit<AskedLoad, 'port'>) {
    const redisBefore = await redisCpuUs(observer);
    const nodeBefore = process.cpuUsage();
    const { decisions, elapsedMs, p99Ms } = await load.run({ ...asked, port });
    const node = process.cpuUsage(nodeBefore);
    const redis = (await redisCpuUs(observer)) - redisBefore;
    const values = [(decisions / elapsedMs) * 1000, redis / decisions, (node.user + node.system) / decisions];
    return { ...Object.fromEntries(METRICS.map(({ name }, index) => [name, values[index]!])), 'p99 ms': p99Ms };
  }

  return {
    warmUpMs: 4 * warmUpMs,
    run: {
      'HTTP, batches of 100': (durationMs) => measure({ ...BATCHES, durationMs }),
      'HTTP, 1,000 single requests/s': (durationMs) => measure({ ...SINGLE, durationMs }),
    },
    async close() {
      load.stop();
      await observer.quit();
      server.closeAllConnections();
      server.close();
      await shop.close();
    },
  };
};
