import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Redis } from 'ioredis';
import { METRICS } from '../decision/measure-decisions.js';
import type { Conditions, Runner, Variant } from '../frame/bench.js';
import { redisCpuUs } from '../frame/redis-cpu.js';
import { type AskedLoad, startLoad } from './load.js';
import { openShop, shopHandler } from './shop.js';

const BATCHES = { batchSize: 100, inFlight: 4 };
const SINGLE = { batchSize: 1, inFlight: 1, ratePerSecond: 1000 };

/**
 * Measures the service over HTTP on the loopback address. Another process sends the requests. Nothing
 * settles the decisions, so the memory of unsettled operations is full after 13,000 of them.
 */
export const byHttp: Variant = (conditions) =>
  measureServer(conditions, async (redisUrl) => {
    const shop = await openShop(redisUrl);
    return { handler: shopHandler(shop), close: shop.close };
  });

/**
 * Measures a server that only reads the request, sends one PING to Redis and answers the same for
 * every request. Its p99 is what the machine and the load process add to every service.
 */
export const pingByHttp: Variant = (conditions) =>
  measureServer(conditions, async (redisUrl) => {
    const redis = new Redis(redisUrl);
    const handler: RequestListener = async (request, response) => {
      const asked = JSON.parse(await text(request));
      await redis.ping();
      const admitted = { admitted: true, degraded: false };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(() => admitted) : admitted));
    };
    return { handler, close: () => redis.quit() };
  });

async function measureServer(
  { redisUrl, warmUpMs }: Conditions,
  open: (redisUrl: string) => Promise<{ handler: RequestListener; close(): Promise<unknown> }>,
): Promise<Runner> {
  const { handler, close } = await open(redisUrl);
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
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
      await close();
    },
  };
}
