import type { Cluster, Redis } from 'ioredis';
import type { RedisClient } from '../../model/redis-client.js';
import { subscriberOf } from '../../runtime/subscriber-of.js';

/** Messages between the processes that share counters in a Redis. They may be lost. */
export interface RedisChannel {
  publish(channel: string, message: string): void;
  /**
   * Receives messages over a connection of its own. Returns a function that closes it.
   * @param onReady called when the subscription is active
   */
  subscribe(channel: string, onMessage: (message: string) => void, onReady: () => void): () => void;
}

/**
 * Creates the channels of a Redis.
 * @param opened resolves when the first attempt to connect has ended
 * @param client returns the client; undefined if it could not be created
 */
export function createRedisChannel(opened: Promise<void>, client: () => RedisClient | undefined): RedisChannel {
  return {
    publish(channel, message) {
      const connected = client();
      connected?.publish(nameOf(channel, connected), message).catch(() => {});
    },
    subscribe(channel, onMessage, onReady) {
      let close: (() => void) | undefined;
      let isClosed = false;
      const open = () => {
        const connected = client();
        if (isClosed || connected === undefined) return;
        const subscriber = subscriberOf(connected);
        close = () => subscriber.disconnect();
        subscriber.on('message', (_channel: string, message: string) => onMessage(message));
        subscriber.subscribe(nameOf(channel, connected)).then(onReady, () => {});
      };
      opened.then(open, () => {});
      return () => {
        isClosed = true;
        close?.();
      };
    },
  };
}

/**
 * Returns the name of a channel among the processes with the same counters. All databases of a Redis
 * share their channels, and ioredis adds its `keyPrefix` to keys only.
 */
function nameOf(channel: string, client: RedisClient): string {
  const { options } = client as unknown as Redis | Cluster;
  const { keyPrefix = '' } = options;
  // A Cluster has no numbered databases.
  const db = 'db' in options ? (options.db ?? 0) : 0;
  return db === 0 && keyPrefix === '' ? channel : `${channel}:${db}:${keyPrefix}`;
}
