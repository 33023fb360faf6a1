import type { Cluster, Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { withTimeout } from '../../runtime/with-timeout.js';
import { Gauge } from './load-prom-client.js';

/** Maximum wait of a scrape for Redis. Without a reply, the scrape omits these numbers. */
const DEADLINE_MS = 500;
const ASKED = `Each scrape queries Redis, with a timeout of ${DEADLINE_MS} ms. Absent while Redis is unavailable.`;

interface NodeMemory {
  node: string;
  usedBytes: number;
  /** Value of maxmemory. 0: no limit. */
  maxBytes: number;
}

/**
 * Registers the memory use of each Redis node. Each scrape requests it from Redis. The metric is
 * important because a Redis without free memory rejects charges.
 */
export function showRedisMemory(registry: Registry, all: readonly (Redis | Cluster)[]): void {
  let asked: Promise<NodeMemory[]> | undefined;
  /** Both gauges of one scrape share one request. */
  const ask = () => {
    asked ??= readMemory(all).finally(() => {
      asked = undefined;
    });
    return asked;
  };
  const gauge = (name: string, help: string, read: (memory: NodeMemory) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['node'],
      registers: [registry],
      async collect() {
        const found = await ask();
        this.reset();
        for (const memory of found) this.set({ node: memory.node }, read(memory));
      },
    });
  gauge(
    'tollgate_redis_memory_used_bytes',
    `Memory that a primary of Redis uses. ${ASKED}`,
    ({ usedBytes }) => usedBytes,
  );
  gauge(
    'tollgate_redis_memory_max_bytes',
    `Maximum memory of a primary of Redis, its maxmemory. 0: no limit. ${ASKED}`,
    ({ maxBytes }) => maxBytes,
  );
}

async function readMemory(all: readonly (Redis | Cluster)[]): Promise<NodeMemory[]> {
  const nodes = all.flatMap((redis) => ('nodes' in redis ? redis.nodes('master') : [redis]));
  const found = await Promise.all(
    nodes.map((node) => withTimeout(readNode(node), DEADLINE_MS, () => undefined).catch(() => undefined)),
  );
  return found.filter((memory) => memory !== undefined);
}

async function readNode(redis: Redis): Promise<NodeMemory> {
  const text = await redis.info('memory');
  const numberOf = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const { host = 'localhost', port = 6379 } = redis.options;
  return { node: `${host}:${port}`, usedBytes: numberOf('used_memory'), maxBytes: numberOf('maxmemory') };
}
