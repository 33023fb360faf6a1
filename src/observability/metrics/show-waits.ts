import type { Registry } from 'prom-client';
import type { MonitoredLimiter } from '../../limiter/create-limiter.js';
import type { OperationObserver } from '../../model/decision-record.js';
import { createPlainHistogram, showTotals } from './bound-metrics.js';
import { Gauge } from './load-prom-client.js';

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Registers the operations that wait for slots of concurrency limits, and observes how long
 * operations have waited.
 */
export function showWaits(registry: Registry, limiter: Pick<MonitoredLimiter, 'waits'>): OperationObserver {
  new Gauge({
    name: 'tollgate_waiting_operations',
    help: 'Operations that wait now for a slot of a concurrency limit with maxWaitMs.',
    registers: [registry],
    collect() {
      this.set(limiter.waits().waiting);
    },
  });
  showTotals({
    registry,
    name: 'tollgate_waits_total',
    help: 'Operations that waited for a slot, by the end of the wait: a slot was free (admitted), maxWaitMs had passed (expired), the queue was full (full), another limit denied the operation (denied), the client disconnected (left), or the process stopped (closed).',
    label: 'end',
    totals: () => limiter.waits().ended,
  });
  const histogram = createPlainHistogram({
    name: 'tollgate_wait_seconds',
    help: 'Time for which operations waited for a slot of a concurrency limit, by their decision.',
    labels: ['decision'],
    buckets: BUCKETS,
    registry,
  });
  const observe = { admitted: histogram({ decision: 'admitted' }), denied: histogram({ decision: 'denied' }) };
  return {
    onDecision({ waitedMs, denial }) {
      if (waitedMs !== undefined) observe[denial === undefined ? 'admitted' : 'denied'](waitedMs / 1000);
    },
  };
}
