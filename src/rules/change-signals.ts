import type { Cluster, Redis, RedisOptions } from 'ioredis';

/** Tells other instances that there is something new, and hears of it. A message may be lost: polling heals that. */
export interface ChangeSignals {
  publish(number: number): void;
  close(): void;
}

const CHANNEL = 'tg:changes';

/**
 * Only a number is published. Whoever hears it asks the database, so that a forged message can cause a look and
 * nothing else.
 */
export function createChangeSignals(redis: Redis | Cluster, heard: (number: number) => void): ChangeSignals {
  const subscriber = subscriberOf(redis);
  // Without a listener an error event ends the process. ioredis connects and subscribes again by itself.
  subscriber.on('error', () => {});
  subscriber.on('message', (_channel: string, message: string) => {
    if (/^\d{1,15}$/.test(message)) heard(Number(message));
  });
  subscriber.subscribe(CHANNEL).catch(() => {});
  let published = 0;
  return {
    publish(number) {
      if (number <= published) return;
      published = number;
      redis.publish(CHANNEL, String(number)).catch(() => {});
    },
    close() {
      subscriber.disconnect();
    },
  };
}

/** A connection that listens says nothing else, may be silent for ever, and comes back whenever it is lost. */
function subscriberOf(redis: Redis | Cluster): Redis | Cluster {
  const patient = { lazyConnect: false, enableOfflineQueue: true };
  if (redis.isCluster) return (redis as Cluster).duplicate([], patient);
  const options = {
    ...patient,
    autoResubscribe: true,
    maxRetriesPerRequest: null,
    commandTimeout: undefined,
    socketTimeout: undefined,
    retryStrategy: (attempt: number) => Math.min(1000, 50 * attempt),
  };
  return (redis as Redis).duplicate(options as Partial<RedisOptions>);
}
