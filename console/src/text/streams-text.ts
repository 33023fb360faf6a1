import type { OpenStreamKind, StreamTransport } from '../generated/graphql.js';

const KINDS: Record<OpenStreamKind, string> = { SUBSCRIPTION: 'Subscription', CONNECTION: 'WebSocket' };

const TRANSPORTS: Record<StreamTransport, string> = {
  WEBSOCKET: 'WebSocket',
  SERVER_SENT_EVENTS: 'server-sent events',
  MULTIPART: 'multipart',
};

/** Texts of the lists of open subscriptions and WebSockets. */
export const streamsText = {
  title: 'Open subscriptions and WebSockets',
  empty: 'No open subscriptions or WebSockets',
  emptyHint: 'They appear here within seconds of their start.',
  kinds: KINDS,
  transports: TRANSPORTS,
  column: { kind: 'Kind', client: 'Client', transport: 'Transport', opened: 'Opened', events: 'Events' },
  reported: (streams: string, processes: string) => `${streams} open. Processes that reported: ${processes}.`,
  oldest: (shown: string) => `The oldest ${shown} are shown.`,

  end: 'End',
  ending: 'Ending…',
  endAll: 'End all',
  endTitle: { SUBSCRIPTION: 'End this subscription?', CONNECTION: 'End this WebSocket?' },
  endAllTitle: (caller: string) => `End all subscriptions and WebSockets of ${caller}?`,
  endText: {
    SUBSCRIPTION: 'The client receives the error ENDED_BY_ADMINISTRATOR. Its other subscriptions go on.',
    CONNECTION: 'The WebSocket is closed with code 1008, and all its subscriptions end.',
  },
  endAllText: (streams: string) => `${streams} open now. Clients receive the error ENDED_BY_ADMINISTRATOR.`,
  mayReturn: 'The caller can open new ones. To prevent this, first block the caller or add a rule.',

  toast: {
    SUBSCRIPTION: (caller: string) => `A subscription of ${caller} was ended`,
    CONNECTION: (caller: string) => `A WebSocket of ${caller} was ended`,
    all: (streams: string, caller: string) => `Subscriptions and WebSockets of ${caller} were ended: ${streams}`,
  },
} as const;
