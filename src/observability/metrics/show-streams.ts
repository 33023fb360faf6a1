import type { Registry } from 'prom-client';
import type { StreamsSource } from '../../model/stream-totals.js';
import { showTotals } from './bound-metrics.js';
import { Gauge } from './load-prom-client.js';

/** Registers the open connections and subscriptions, and the events of subscriptions. */
export function showStreams(registry: Registry, streams: StreamsSource): void {
  new Gauge({
    name: 'tollgate_open_connections',
    help: 'Open WebSockets that webSockets of Tollgate protects. Server-sent events and multipart responses are not counted.',
    registers: [registry],
    collect() {
      this.set(streams.totals?.().connections ?? 0);
    },
  });
  new Gauge({
    name: 'tollgate_open_subscriptions',
    help: 'Open subscriptions, over all transports.',
    registers: [registry],
    collect() {
      this.set(streams.totals?.().subscriptions ?? 0);
    },
  });
  showTotals({
    registry,
    name: 'tollgate_subscription_events_total',
    help: 'Events of subscriptions: those sent (sent), those denied by a limit (denied), and those that were not sent because their client reads too slowly (dropped). An event that a rule pauses (PAUSE) is counted as denied, and also as sent when it is sent.',
    label: 'outcome',
    totals: () => ({ ...(streams.totals?.().events ?? { sent: 0, denied: 0, dropped: 0 }) }),
  });
}
