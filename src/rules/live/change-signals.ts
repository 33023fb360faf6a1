import type { RedisClient } from '../../model/redis-client.js';
import { subscriberOf } from './redis-subscriber.js';

/** Notifies other instances that there is something new, and hears of it from them. A message may be lost: polling heals that. */
export interface ChangeSignals {
  publish(number: number): void;
  close(): void;
}

const CHANNEL = 'tg:changes';

/**
 * Only a number is published. An instance that hears it asks the database, so that a forged message can cause a look and
 * nothing else.
 */
export function createChangeSignals(redis: RedisClient, heard: (number: number) => void): ChangeSignals {
  const subscriber = subscriberOf(redis);
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
