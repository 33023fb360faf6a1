import type { Cluster, Redis, RedisOptions } from 'ioredis';
import type { RedisClient } from '../../model/redis-client.js';

/** A connection that listens says nothing else, may be silent for ever, and comes back whenever it is lost. */
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

/** Without a listener an error event ends the process. ioredis connects and subscribes again by itself. */
function quiet(subscriber: Redis | Cluster): Redis | Cluster {
  return subscriber.on('error', () => {});
}
