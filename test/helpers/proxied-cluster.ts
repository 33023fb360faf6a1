import { Redis } from 'ioredis';
import { slotOf } from '../../src/limiter/redis/slot-of.js';
import { startRedisCluster, until } from './redis-cluster.js';
import { type Fault, startTcpProxy, type TcpProxy } from './tcp-proxy.js';

/**
 * A Redis Cluster of three primaries that clients reach only through proxies: the nodes announce
 * the proxies' ports.
 */
export interface ProxiedCluster {
  /** `redis-cluster://` with all proxies. */
  url: string;
  proxies: readonly TcpProxy[];
  /** Returns the proxy in front of the node that serves the hash slot of this hash tag. */
  proxyOf(tag: string): TcpProxy;
  setAll(fault: Fault): Promise<void>;
  stop(): Promise<void>;
}

export async function startProxiedCluster(): Promise<ProxiedCluster> {
  const cluster = await startRedisCluster({ replicas: false });
  const proxies = await Promise.all(cluster.ports.map((port) => startTcpProxy(`redis://127.0.0.1:${port}`)));
  const clients = cluster.ports.map((port) => new Redis(port, '127.0.0.1'));
  const rangesOf = (client: Redis) => client.cluster('SLOTS');
  for (const [i, client] of clients.entries()) {
    await client.config('SET', 'cluster-announce-bus-port', cluster.ports[i]! + 10_000);
    await client.config('SET', 'cluster-announce-port', proxies[i]!.port);
  }
  const announced = new Set(proxies.map(({ port }) => port));
  await until(async () => {
    const views = await Promise.all(clients.map(rangesOf));
    return views.every((ranges) => ranges.every(([, , primary]) => announced.has(primary![1])));
  });
  const ranges = await rangesOf(clients[0]!);
  for (const client of clients) client.disconnect();
  return {
    url: `redis-cluster://${proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    proxies,
    proxyOf(tag) {
      const slot = slotOf(tag);
      const [, , primary] = ranges.find(([from, to]) => from <= slot && slot <= to)!;
      return proxies.find((proxy) => proxy.port === primary![1])!;
    },
    async setAll(fault) {
      await Promise.all(proxies.map((proxy) => proxy.set(fault)));
    },
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await cluster.stop();
    },
  };
}
