/** Numbers of subscriptions and connections that are open now, and of events since the start. */
export interface StreamTotals {
  /** Open WebSockets. */
  readonly connections: number;
  readonly subscriptions: number;
  readonly events: Readonly<EventTotals>;
}

/** Source of the numbers, which may be passed on before the Tollgate is open. */
export interface StreamsSource {
  /** Absent until the Tollgate is open. */
  totals?: () => StreamTotals;
}

/** Numbers of events of subscriptions since the start. */
export interface EventTotals {
  sent: number;
  /** Events that a limit denied. With `onEventDenied: PAUSE`, they may have been sent later. */
  denied: number;
  /** Events that were not sent because their client reads too slowly. */
  dropped: number;
}
