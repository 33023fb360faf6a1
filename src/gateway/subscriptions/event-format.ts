import type { StreamTransport } from '../../model/open-stream.js';

/** Form in which a client receives the events of a subscription over HTTP. */
export interface EventFormat {
  readonly transport: StreamTransport;
  readonly contentType: string;
  /** Value of `Accept` for the API: this format first. The gateway converts the other one. */
  readonly accept: string;
  /** First bytes of the response. They are sent before the first event. */
  readonly opening: string;
  /** Bytes that keep the connection open, and that clients ignore. */
  readonly heartbeat: string;
  /** Returns an event. @param json result of the event, without line breaks */
  event(json: string): string;
  /** Returns an error that ends the subscription. @param json list of errors, without line breaks */
  error(json: string): string;
  /** Last bytes of the response. */
  readonly end: string;
}

const JSON_ACCEPTED = 'application/graphql-response+json;q=0.2, application/json;q=0.1';

/**
 * GraphQL over SSE, in the distinct connections mode: one subscription per response
 * (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md).
 */
const SERVER_SENT_EVENTS: EventFormat = {
  transport: 'SERVER_SENT_EVENTS',
  contentType: 'text/event-stream; charset=utf-8',
  accept: `text/event-stream, multipart/mixed;subscriptionSpec=1.0;q=0.5, ${JSON_ACCEPTED}`,
  opening: ':\n\n',
  heartbeat: ':\n\n',
  event: (json) => `event: next\ndata: ${json}\n\n`,
  error: (json) => `event: next\ndata: {"errors":${json}}\n\n`,
  end: 'event: complete\ndata:\n\n',
};

const partOf = (json: string) => `\r\ncontent-type: application/json\r\n\r\n${json}\r\n--graphql`;

/**
 * Multipart subscriptions of Apollo: each part contains the result as `payload`. Errors next to the
 * payload end the subscription.
 */
const MULTIPART: EventFormat = {
  transport: 'MULTIPART',
  contentType: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
  accept: `multipart/mixed;subscriptionSpec=1.0, text/event-stream;q=0.5, ${JSON_ACCEPTED}`,
  opening: '\r\n--graphql',
  heartbeat: partOf('{}'),
  event: (json) => partOf(`{"payload":${json}}`),
  error: (json) => partOf(`{"payload":null,"errors":${json}}`),
  end: '--\r\n',
};

/** Returns the first format that a client accepts for subscriptions; undefined if there is none. */
export function eventFormatOf(accept: string | undefined): EventFormat | undefined {
  for (const range of accept?.split(',') ?? []) {
    const [type = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase());
    if (type === 'text/event-stream') return SERVER_SENT_EVENTS;
    if (type === 'multipart/mixed' && parameters.some((one) => one.startsWith('subscriptionspec='))) return MULTIPART;
  }
  return undefined;
}
