import { connect } from '../limiter/redis/connect.js';
import type { RedisClient } from '../model/redis-client.js';
import type { NamedPatterns } from '../rules/matching/pool-finder.js';

/** A Redis of its own for some of the operations or callers: those that its patterns match. */
export interface PoolOptions extends NamedPatterns {
  /** Lower-case letters, digits and `_`. */
  name: string;
  /** A client, or a URL, as of the default Redis. */
  redis: RedisClient | string;
}

/** What is asked of Redis besides charges: a connection of its own for each that is given by its URL. */
export async function connectPools(
  pools: readonly Pick<PoolOptions, 'redis'>[],
  commandTimeoutMs: number,
): Promise<{ clients: RedisClient[]; close(): Promise<void> }> {
  const connections = await Promise.all(
    pools.map(({ redis }) => (typeof redis === 'string' ? connect(redis, { commandTimeoutMs }) : undefined)),
  );
  return {
    clients: pools.map(({ redis }, index) => connections[index]?.client ?? (redis as RedisClient)),
    async close() {
      await Promise.all(connections.map((connection) => connection?.close()));
    },
  };
}
