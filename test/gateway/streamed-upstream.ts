import type { ServerResponse } from 'node:http';
import { until } from '../helpers/until.js';
import type { UpstreamServer } from './gateway.js';

/** One open subscription at the upstream, which the test controls. */
export interface UpstreamStream {
  readonly response: ServerResponse;
  /** Whether the gateway has closed the connection. */
  readonly isClosed: boolean;
  /** Sends an event. @param json result of the event */
  send(json: string): void;
  complete(): void;
}

const FORMATS = {
  'text/event-stream': {
    contentType: 'text/event-stream',
    opening: ':\n\n',
    event: (json: string) => `event: next\ndata: ${json}\n\n`,
    end: 'event: complete\ndata:\n\n',
  },
  'multipart/mixed': {
    contentType: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
    opening: '\r\n--graphql\r\ncontent-type: application/json\r\n\r\n{}\r\n--graphql',
    event: (json: string) => `\r\ncontent-type: application/json\r\n\r\n{"payload":${json}}\r\n--graphql`,
    end: '--\r\n',
  },
};

/** Makes the upstream answer each request with a stream of events. Returns the streams. */
export function streamFrom(
  upstream: UpstreamServer,
  type: keyof typeof FORMATS = 'text/event-stream',
): { streams: UpstreamStream[]; next(): Promise<UpstreamStream> } {
  const streams: UpstreamStream[] = [];
  const { contentType, opening, event, end } = FORMATS[type];
  let taken = 0;
  upstream.behave = (_request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.write(opening);
    streams.push({
      response,
      get isClosed() {
        return response.destroyed;
      },
      send: (json) => void response.write(event(json)),
      complete: () => void response.end(end),
    });
  };
  return {
    streams,
    async next() {
      await until('the subscription has reached the upstream', () => streams.length > taken);
      taken++;
      return streams[taken - 1]!;
    },
  };
}
