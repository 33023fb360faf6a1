import type { Cluster, Redis, RedisOptions } from 'ioredis';
import type { RedisClient } from '../model/redis-client.js';

/**
 * Returns a separate connection for subscriptions. It sends no other commands, may be idle
 * indefinitely, and reconnects whenever it is lost.
 */
export function subscriberOf(client: RedisClient): Redis | Cluster {
  const redis = client as unknown as Redis | Cluster;
  const patient = { lazyConnect: false, enableOfflineQueue: true };
  if (redis.isCluster) return quiet((redis as Cluster).duplicate([], patient));
  const options = {
    ...patient,
    autoResubscribe: true,
    maxRetriesPerRequest: null,
    commandTimeout: undefined,
    socketTimeout: undefined,
    retryStrategy: (attempt: number) => Math.min(1000, 50 * attempt),
  };
  return quiet((redis as Redis).duplicate(options as Partial<RedisOptions>));
}

/**
 * Ignores error events: without a listener, they would end the process. ioredis reconnects and
 * resubscribes by itself.
 */
function quiet(subscriber: Redis | Cluster): Redis | Cluster {
  return subscriber.on('error', () => {});
}
