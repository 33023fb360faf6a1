/** `SUBSCRIPTION`: an open subscription. `CONNECTION`: an open WebSocket. */
export const STREAM_KINDS = ['SUBSCRIPTION', 'CONNECTION'] as const;
export type StreamKind = (typeof STREAM_KINDS)[number];

/** Transports of the events of a subscription. */
export const STREAM_TRANSPORTS = ['WEBSOCKET', 'SERVER_SENT_EVENTS', 'MULTIPART'] as const;
export type StreamTransport = (typeof STREAM_TRANSPORTS)[number];

/** Names of a caller, at most 200 bytes each. Longer names are in the form that usage stores. */
export interface CallerNames {
  user?: string | undefined;
  tenant?: string | undefined;
  apiKey?: string | undefined;
  ip?: string | undefined;
}

/** An open subscription or WebSocket of this process. */
export interface OpenStream extends CallerNames {
  /** Random id, unique over all processes. */
  readonly id: string;
  readonly kind: StreamKind;
  /** Name of the operation, at most 200 bytes. A longer name is in the form that usage stores. */
  readonly operation: string | undefined;
  /** Name of the client program. */
  readonly client: string | undefined;
  /** Undefined if the server did not name it. */
  readonly transport: StreamTransport | undefined;
  /** Time of its start, in epoch milliseconds. */
  readonly sinceMs: number;
  /** Number of events that were sent. */
  events: number;
  /** Tokens that were charged: for the start, and for each event. */
  cost: number;
}

/** Conditions for open streams. A stream must meet all of them. */
export interface StreamFilter extends CallerNames {
  id?: string | undefined;
  kind?: StreamKind | undefined;
  operation?: string | undefined;
}

/**
 * Returns whether a stream meets all conditions. A user without a tenant is not the user of the same
 * name of a tenant.
 */
export function matchesStream(filter: StreamFilter, stream: OpenStream): boolean {
  const { id, kind, user, tenant, apiKey, ip, operation } = filter;
  if (user !== undefined ? stream.tenant !== tenant : tenant !== undefined && stream.tenant !== tenant) return false;
  return (
    (id === undefined || stream.id === id) &&
    (kind === undefined || stream.kind === kind) &&
    (user === undefined || stream.user === user) &&
    (apiKey === undefined || stream.apiKey === apiKey) &&
    (ip === undefined || stream.ip === ip) &&
    (operation === undefined || stream.operation === operation)
  );
}
