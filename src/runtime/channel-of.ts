import type { Cluster, Redis } from 'ioredis';
import type { RedisClient } from '../model/redis-client.js';

/**
 * Returns the name of a channel among the processes with the same counters. All databases of a Redis
 * share their channels, and ioredis adds its `keyPrefix` to keys only.
 */
export function channelOf(channel: string, client: RedisClient): string {
  const { options } = client as unknown as Redis | Cluster;
  const { keyPrefix = '' } = options;
  // A Cluster has no numbered databases.
  const db = 'db' in options ? (options.db ?? 0) : 0;
  return db === 0 && keyPrefix === '' ? channel : `${channel}:${db}:${keyPrefix}`;
}
