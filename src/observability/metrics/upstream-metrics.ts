import type { Registry } from 'prom-client';
import { createPlainHistogram, type Observe, showTotals } from './bound-metrics.js';
import { Gauge } from './load-prom-client.js';

/** The state of a gateway's upstream, and of the responses that the gateway buffers. */
interface UpstreamNumbers {
  readonly upstream: {
    readonly running: number;
    readonly maxRequests: number;
    readonly connections: number;
    readonly circuit: 'closed' | 'trying' | 'open';
    readonly rejected: Record<string, number>;
  };
  /** The connections of subscriptions, with the same circuit breaker. */
  readonly subscriptions: {
    readonly running: number;
    readonly maxRequests: number;
    readonly rejected: Record<string, number>;
  };
  readonly budget: {
    readonly held: number;
    readonly maxBytes: number;
    readonly rejected: Record<string, number>;
  };
  /** Number of failed requests by code. */
  readonly failures: Record<string, number>;
}

const STATES = { closed: 0, trying: 1, open: 2 };
const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the observer of the time to the first byte of each response, in milliseconds. */
export function timeUpstream(registry: Registry): Observe {
  const observe = createPlainHistogram({
    name: 'tollgate_upstream_first_byte_seconds',
    help: 'Time from the request to the API behind the gateway until the response begins.',
    buckets: BUCKETS_S,
    registry,
  })();
  return (ms) => observe(ms / 1000);
}

/** Registers the current use of a gateway's resources and their maximums. */
export function showUpstream(registry: Registry, { upstream, subscriptions, budget, failures }: UpstreamNumbers): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('tollgate_upstream_requests', 'Requests in flight to the API behind the gateway.', () => upstream.running);
  gauge(
    'tollgate_upstream_requests_max',
    'Maximum number of requests in flight to the API, --max-upstream-requests. A single caller may use a quarter of it, or 16 if that is more.',
    () => upstream.maxRequests,
  );
  gauge(
    'tollgate_upstream_connections',
    'Open connections to the API: those in use, and those kept for the next request.',
    () => upstream.connections,
  );
  gauge(
    'tollgate_upstream_subscriptions',
    'Open subscriptions at the API, each with a connection.',
    () => subscriptions.running,
  );
  gauge(
    'tollgate_upstream_subscriptions_max',
    'Maximum number of open subscriptions at the API, --max-upstream-subscriptions. A single caller may use a quarter of it, or 16 if that is more.',
    () => subscriptions.maxRequests,
  );
  gauge(
    'tollgate_upstream_held_bytes',
    'Bytes of responses in memory, to compute their actual cost or because their callers read slowly.',
    () => budget.held,
  );
  gauge(
    'tollgate_upstream_held_bytes_max',
    'Maximum number of bytes of responses in memory, --max-held-bytes. If it is reached, responses are forwarded without computing their actual cost.',
    () => budget.maxBytes,
  );
  gauge(
    'tollgate_upstream_circuit_state',
    '0 while requests are sent to the API, 1 while one request checks whether the API is available again, 2 while none is sent.',
    () => STATES[upstream.circuit],
  );
  showTotals({
    registry,
    name: 'tollgate_upstream_refused_total',
    help: 'Operations not sent to the API, by reason: the maximum number of requests was in flight (full), the caller had the maximum of a single caller in flight (caller), or the circuit breaker was open (away).',
    label: 'reason',
    totals: () => upstream.rejected,
  });
  showTotals({
    registry,
    name: 'tollgate_upstream_subscriptions_rejected_total',
    help: 'Subscriptions not sent to the API, by reason: the maximum number of subscriptions was open (full), the caller had the maximum of a single caller open (caller), or the circuit breaker was open (away).',
    label: 'reason',
    totals: () => subscriptions.rejected,
  });
  showTotals({
    registry,
    name: 'tollgate_upstream_uncounted_total',
    help: 'Responses charged by their size instead of their actual cost, by reason: larger than --max-read-bytes (large), or no memory left for their caller (caller) or for any caller (full).',
    label: 'reason',
    totals: () => budget.rejected,
  });
  showTotals({
    registry,
    name: 'tollgate_upstream_failures_total',
    help: 'Operations without a GraphQL response from the API, by error code.',
    label: 'code',
    totals: () => failures,
  });
}
