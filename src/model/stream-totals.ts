import type { OpenStream, StreamFilter } from './open-stream.js';

/** Numbers of subscriptions and connections that are open now, and of events since the start. */
export interface StreamTotals {
  /** Open WebSockets. */
  readonly connections: number;
  readonly subscriptions: number;
  readonly events: Readonly<EventTotals>;
}

/**
 * The open subscriptions and connections of this process. It may be passed on before the Tollgate is
 * open. Its members are absent until then.
 */
export interface StreamsSource {
  totals?: () => StreamTotals;
  /** Returns the open subscriptions and connections. */
  list?: () => OpenStream[];
  /**
   * Ends the subscriptions and connections that match and were opened before `beforeMs`, in epoch
   * milliseconds.
   */
  end?: (filter: StreamFilter, beforeMs: number) => void;
}

/** Numbers of events of subscriptions since the start. */
export interface EventTotals {
  sent: number;
  /** Events that a limit denied. With `onEventDenied: PAUSE`, they may have been sent later. */
  denied: number;
  /** Events that were not sent because their client reads too slowly. */
  dropped: number;
}
