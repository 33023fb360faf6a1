import type { Registry } from 'prom-client';
import type { MonitoredLimiter } from '../../limiter/create-limiter.js';
import { showTotals } from './bound-metrics.js';
import { Gauge } from './load-prom-client.js';

/**
 * Registers the numbers of leased tokens and of their outcomes, for limits with the precision
 * LEASED.
 */
export function showLeases(registry: Registry, limiter: Pick<MonitoredLimiter, 'leases'>): void {
  showTotals({
    registry,
    name: 'tollgate_lease_decisions_total',
    help: 'Decisions without a call to Redis, because leased tokens covered all charges.',
    label: 'result',
    totals: () => ({ admitted: limiter.leases().decisions }),
  });
  showTotals({
    registry,
    name: 'tollgate_lease_tokens_total',
    help: 'Leased tokens: those taken (taken), those returned unspent (returned), and those that Redis may have charged although they were never spent, because Redis did not reply (lost).',
    label: 'kind',
    totals() {
      const { taken, returned, lost } = limiter.leases();
      return { taken, returned, lost };
    },
  });
  new Gauge({
    name: 'tollgate_lease_tokens_held',
    help: 'Leased tokens that this instance may spend without Redis.',
    registers: [registry],
    collect() {
      this.set(limiter.leases().held);
    },
  });
}
