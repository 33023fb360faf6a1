import { z } from 'zod';
import type { RedisClient } from '../../model/redis-client.js';
import { channelOf } from '../../runtime/channel-of.js';
import { subscriberOf } from '../../runtime/subscriber-of.js';
import { type AddressUsersPart, MAX_REPORTED_ADDRESSES, MAX_USER_HASHES } from './address-users.js';
import { MAX_BUSY_SUBJECTS, type TrafficPart } from './create-traffic-counter.js';
import { type HotCallersPart, MAX_HOT_CALLERS } from './hot-callers.js';
import { readStreamRequest, type StreamPage, type StreamRequest, streamPages } from './stream-page.js';

/** The report of one process. */
export interface ReportedPart extends TrafficPart {
  /** Hot callers. Undefined if the version of the process does not count them. */
  hot?: HotCallersPart | undefined;
  /** Users of addresses. Undefined if no process asked for them recently. */
  shared?: AddressUsersPart | undefined;
  /** Open subscriptions and WebSockets, for each recent request for them. */
  streams?: StreamPage[] | undefined;
}

/** Part that a report contains only if a request asks for it. */
export type Asked = 'ADDRESSES' | StreamRequest;

export interface SharedParts {
  /**
   * Requests that the other processes count for a few seconds and report now. Resolves to the
   * number of processes that received the request, or to infinity if Redis does not know it. With
   * `asked`, the reports contain that part too.
   */
  ask(asked?: Asked): Promise<number>;
  publish(part: ReportedPart): void;
  /** Resolves when reports of other processes can be received. */
  listen(): Promise<void>;
  stopListening(): void;
  close(): void;
}

const ASK = 'tg:live:ask';
/** Second word of a request for open streams. The request follows as JSON. */
const STREAMS = 'STREAMS';
const PARTS_CHANNEL = 'tg:live:tell';

/** Maximum number of integrations in a report. There are four. */
const MAX_INTEGRATIONS = 32;

const number = z.number().min(0);
const caller = z.object({
  tenant: z.string().optional(),
  user: z.string().optional(),
  apiKey: z.string().optional(),
  ip: z.string().optional(),
  decisions: number,
});
const subject = caller.extend({ denied: number, cost: number });
const hot = z.object({ periodMs: number.min(1), callers: z.array(caller).max(MAX_HOT_CALLERS) });
const shared = z.object({
  addresses: z
    .array(
      z.object({
        ip: z.string(),
        hashes: z
          .array(
            z
              .number()
              .int()
              .min(0)
              .max(2 ** 32 - 1),
          )
          .min(1)
          .max(MAX_USER_HASHES),
      }),
    )
    .max(MAX_REPORTED_ADDRESSES),
});
const totals = z.object({
  admitted: number,
  throttled: number,
  maxCostExceeded: number,
  unavailable: number,
  degraded: number,
  cost: number,
});
const integration = z.object({ integration: z.string().max(64), decisions: number, denied: number, cost: number });
/** Messages in Redis may come from another version or another program, so they are validated. */
const message = z.object({
  process: z.string().max(64),
  totals,
  subjects: z.array(subject).max(MAX_BUSY_SUBJECTS),
  integrations: z.array(integration).max(MAX_INTEGRATIONS).optional(),
  hot: hot.optional(),
  shared: shared.optional(),
  streams: streamPages.optional(),
});

/**
 * Exchanges the totals of processes through Redis publish/subscribe. The watching process publishes
 * a request every second. Each process that receives the request reports its totals.
 */
export function shareParts(
  redis: RedisClient,
  {
    me,
    onAsked,
    onPart,
  }: { me: string; onAsked(asked: Asked | undefined): void; onPart(process: string, part: ReportedPart): void },
): SharedParts {
  const askChannel = channelOf(ASK, redis);
  const partsChannel = channelOf(PARTS_CHANNEL, redis);
  const subscriber = subscriberOf(redis);
  subscriber.on('message', (channel: string, text: string) => {
    if (channel === askChannel) {
      // Earlier versions ignore the second word, and report without that part.
      const [process, asked, ...rest] = text.split(' ');
      if (process === me) return;
      if (asked === 'ADDRESSES') onAsked(asked);
      else onAsked(asked === STREAMS ? readStreamRequest(rest.join(' ')) : undefined);
      return;
    }
    const parsed = message.safeParse(parseJson(text));
    if (parsed.success && parsed.data.process !== me) onPart(parsed.data.process, parsed.data);
  });
  subscriber.subscribe(askChannel).catch(() => {});
  const publish = (channel: string, text: string) => redis.publish(channel, text).catch(() => 0);
  return {
    // A node of a Redis Cluster knows only its own subscribers, so the total number is unknown.
    ask: async (asked) =>
      (await publish(askChannel, [me, ...wordsOf(asked)].join(' '))) +
      (subscriber.isCluster ? Number.POSITIVE_INFINITY : 0),
    publish: (part) => void publish(partsChannel, JSON.stringify({ process: me, ...part })),
    listen: () => subscriber.subscribe(partsChannel).then(ignore, ignore),
    stopListening: () => void subscriber.unsubscribe(partsChannel).catch(() => {}),
    close: () => subscriber.disconnect(),
  };
}

function wordsOf(asked: Asked | undefined): string[] {
  if (asked === undefined || asked === 'ADDRESSES') return asked === undefined ? [] : [asked];
  return [STREAMS, JSON.stringify(asked)];
}

function ignore(): void {}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
