import type { Registry } from 'prom-client';
import { createPlainHistogram, type Observe, showTotals } from './bound-metrics.js';
import { Gauge } from './load-prom-client.js';

/** The state of a gateway's upstream, and of the responses that the gateway holds. */
interface UpstreamNumbers {
  readonly upstream: {
    readonly running: number;
    readonly maxRequests: number;
    readonly connections: number;
    readonly circuit: 'closed' | 'trying' | 'open';
    readonly refused: Record<string, number>;
  };
  readonly budget: {
    readonly held: number;
    readonly maxBytes: number;
    readonly refused: Record<string, number>;
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
    help: 'Time from sending an operation to the API behind the gateway until its answer begins.',
    buckets: BUCKETS_S,
    registry,
  })();
  return (ms) => observe(ms / 1000);
}

/** Registers the current use of a gateway's resources and their maximums. */
export function showUpstream(registry: Registry, { upstream, budget, failures }: UpstreamNumbers): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('tollgate_upstream_requests', 'Requests that are with the API behind the gateway.', () => upstream.running);
  gauge(
    'tollgate_upstream_requests_max',
    'Maximum number of requests that may be with the API, --max-upstream-requests. One caller may have a quarter.',
    () => upstream.maxRequests,
  );
  gauge(
    'tollgate_upstream_connections',
    'Connections that are open to the API: those in use, and those kept for the next request.',
    () => upstream.connections,
  );
  gauge(
    'tollgate_upstream_held_bytes',
    'Bytes of answers that are held to be counted, or for readers that are slow.',
    () => budget.held,
  );
  gauge(
    'tollgate_upstream_held_bytes_max',
    'Maximum number of bytes that may be held, --max-held-bytes. Beyond it, answers pass without being counted.',
    () => budget.maxBytes,
  );
  gauge(
    'tollgate_upstream_circuit_state',
    '0 while requests are sent to the API, 1 while one of them tries whether it is back, 2 while none is sent.',
    () => STATES[upstream.circuit],
  );
  showTotals({
    registry,
    name: 'tollgate_upstream_refused_total',
    help: 'Operations that were not sent to the API: no place was left (full), their caller had a quarter of the places (caller), or the circuit was open (away).',
    label: 'reason',
    totals: () => upstream.refused,
  });
  showTotals({
    registry,
    name: 'tollgate_upstream_uncounted_total',
    help: 'Answers that stayed at their estimates: larger than --max-read-bytes (large), or there was no room left for their caller (caller) or for anyone (full).',
    label: 'reason',
    totals: () => budget.refused,
  });
  showTotals({
    registry,
    name: 'tollgate_upstream_failures_total',
    help: 'Operations that the API has not answered as GraphQL, by the code of the error.',
    label: 'code',
    totals: () => failures,
  });
}
