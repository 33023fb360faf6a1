import type { RedisClient } from '../../model/redis-client.js';
import { channelOf } from '../../runtime/channel-of.js';
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
      connected?.publish(channelOf(channel, connected), message).catch(() => {});
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
        subscriber.subscribe(channelOf(channel, connected)).then(onReady, () => {});
      };
      opened.then(open, () => {});
      return () => {
        isClosed = true;
        close?.();
      };
    },
  };
}
