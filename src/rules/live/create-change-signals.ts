import { z } from 'zod';
import type { RedisClient } from '../../model/redis-client.js';
import { channelOf } from '../../runtime/channel-of.js';
import { subscriberOf } from '../../runtime/subscriber-of.js';
import type { EndedAccess } from '../store/create-change-log.js';

/**
 * Notifies other instances of changes through Redis, and receives their notifications. Polling
 * finds changes whose messages were lost.
 */
interface ChangeSignals {
  /**
   * Publishes a change.
   * @param ended access that the change has ended, for instances that cannot read the database
   */
  publish(number: number, ended: readonly EndedAccess[]): void;
  close(): void;
}

interface SignalHandlers {
  changed(number: number): void;
  ended(access: EndedAccess): void;
}

const CHANNEL = 'tg:changes';
/** Maximum length of a message. A longer one does not come from Tollgate. */
const MAX_MESSAGE_LENGTH = 2_000;

const endedAccess = z.discriminatedUnion('entity', [
  z.object({ entity: z.literal('API_KEY'), key: z.string() }),
  z.object({
    entity: z.literal('SUBJECT'),
    user: z.string().nullable(),
    tenant: z.string().nullable(),
    isDisabled: z.boolean(),
  }),
]);

/**
 * Creates the signals. A notified instance reads the change from the database. It trusts a message
 * about ended access only while the database is unavailable. So a forged message can cause a poll,
 * and during an outage it can deny a caller.
 */
export function createChangeSignals(redis: RedisClient, handlers: SignalHandlers): ChangeSignals {
  const channel = channelOf(CHANNEL, redis);
  const subscriber = subscriberOf(redis);
  subscriber.on('message', (_channel: string, message: string) => {
    if (/^\d{1,15}$/.test(message)) handlers.changed(Number(message));
    else if (message.length <= MAX_MESSAGE_LENGTH) {
      const access = parseEnded(message);
      if (access) handlers.ended(access);
    }
  });
  subscriber.subscribe(channel).catch(() => {});
  let published = 0;
  return {
    publish(number, ended) {
      // Ended access is published in separate messages, because instances of earlier versions
      // understand only numbers.
      for (const access of ended) redis.publish(channel, JSON.stringify(access)).catch(() => {});
      if (number <= published) return;
      published = number;
      redis.publish(channel, String(number)).catch(() => {});
    },
    close() {
      subscriber.disconnect();
    },
  };
}

function parseEnded(message: string): EndedAccess | undefined {
  try {
    return endedAccess.parse(JSON.parse(message));
  } catch {
    return undefined;
  }
}
