import { connect } from '../limiter/redis/connect.js';
import type { RedisClient } from '../model/redis-client.js';
import type { NamedPatterns } from '../rules/matching/pool-finder.js';

/** A pool: a separate Redis for the operations or callers that its patterns match. */
export interface PoolOptions extends NamedPatterns {
  /** Name of the pool: lower-case letters, digits and `_`. */
  name: string;
  /** Client or URL, as for the default Redis. */
  redis: RedisClient | string;
}

/**
 * Opens one connection to each pool that is given by its URL. These connections send all commands
 * other than charges.
 */
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
