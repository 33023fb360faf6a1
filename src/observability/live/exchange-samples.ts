import { z } from 'zod';
import type { RedisClient } from '../../model/redis-client.js';
import { subscriberOf } from '../../rules/live/redis-subscriber.js';
import { MAX_BUSY_SUBJECTS, type TrafficPart } from './traffic-counter.js';

export interface SharedParts {
  /** Asks the others to count for a few seconds, and to tell now. */
  ask(): void;
  tell(part: TrafficPart): void;
  /** From now on hears what the others tell. */
  listen(): void;
  stopListening(): void;
  close(): void;
}

const ASK = 'tg:live:ask';
const TELL = 'tg:live:tell';

const number = z.number().min(0);
const subject = z.object({
  tenant: z.string().optional(),
  user: z.string().optional(),
  apiKey: z.string().optional(),
  ip: z.string().optional(),
  decisions: number,
  denied: number,
  cost: number,
});
const totals = z.object({
  admitted: number,
  throttled: number,
  maxCostExceeded: number,
  unavailable: number,
  degraded: number,
  cost: number,
});
/** What comes by way of Redis may be of another version, or of another program. */
const message = z.object({ process: z.string().max(64), totals, subjects: z.array(subject).max(MAX_BUSY_SUBJECTS) });

/**
 * Passes the totals of processes around by Redis' publish and subscribe: the process that watches asks every second, each
 * that hears it tells what it has counted.
 */
export function shareParts(
  redis: RedisClient,
  { me, onAsked, onPart }: { me: string; onAsked(): void; onPart(process: string, part: TrafficPart): void },
): SharedParts {
  const subscriber = subscriberOf(redis);
  subscriber.on('message', (channel: string, text: string) => {
    if (channel === ASK) {
      if (text !== me) onAsked();
      return;
    }
    const told = message.safeParse(parseJson(text));
    if (told.success && told.data.process !== me) onPart(told.data.process, told.data);
  });
  subscriber.subscribe(ASK).catch(() => {});
  const publish = (channel: string, text: string) => void redis.publish(channel, text).catch(() => {});
  return {
    ask: () => publish(ASK, me),
    tell: (part) => publish(TELL, JSON.stringify({ process: me, ...part })),
    listen: () => void subscriber.subscribe(TELL).catch(() => {}),
    stopListening: () => void subscriber.unsubscribe(TELL).catch(() => {}),
    close: () => subscriber.disconnect(),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
