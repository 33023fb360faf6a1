import type { Registry } from 'prom-client';
import { type Cell, createPlainCounter, createPlainHistogram, type Observe } from './bound-metrics.js';
import { Gauge } from './load-prom-client.js';

/** The functions of a decision service that are measured. */
interface Measured {
  decide(request: never, integration: string, bytes: number): Promise<{ admitted: boolean; degraded: boolean }>;
  reject(caller: never, errors: never, integration: string): Promise<unknown>;
  settle(request: never): Promise<{ settled: boolean; repeated: boolean; reason?: string }>;
  readonly totals: { readonly waiting: number; readonly expired: number; readonly evicted: number };
}

const BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];

/**
 * Returns the decision service with functions that count decisions by integration and outcome,
 * settlements by outcome, and the time of a decision.
 */
export function measureDecider<Service extends Measured>(
  registry: Registry,
  service: Service,
  clock: () => number,
): { decisions: Service } {
  const counter = createPlainCounter({
    name: 'tollgate_decider_decisions_total',
    help: 'Decisions for other servers, by integration and by outcome: admitted, denied, or degraded, which is admitted without Redis.',
    labels: ['integration', 'outcome'],
    registry,
  });
  const settlements = createPlainCounter({
    name: 'tollgate_decider_settlements_total',
    help: 'Settlements by other servers, by outcome: settled, repeated, or the reason why nothing was settled.',
    labels: ['outcome'],
    registry,
  });
  const histogram = createPlainHistogram({
    name: 'tollgate_decider_seconds',
    help: 'Time of a decision for another server, by integration.',
    labels: ['integration'],
    buckets: BUCKETS_S,
    registry,
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge(
    'tollgate_decider_receipts_waiting',
    'Admitted operations in memory that wait for a settlement.',
    () => service.totals.waiting,
  );
  gauge(
    'tollgate_decider_receipts_expired',
    'Receipts that expired without a settlement since the start. Their estimates remain charged.',
    () => service.totals.expired,
  );
  gauge(
    'tollgate_decider_receipts_evicted',
    'Operations that left the memory before their settlement since the start, because too many waited.',
    () => service.totals.evicted,
  );
  const cells = new Map<string, Cell>();
  const observers = new Map<string, Observe>();

  function count(cellOf: () => Cell, key: string): void {
    let cell = cells.get(key);
    if (!cell) {
      cell = cellOf();
      cells.set(key, cell);
    }
    cell.count++;
  }

  function observe(integration: string, seconds: number): void {
    let one = observers.get(integration);
    if (!one) {
      one = histogram({ integration });
      observers.set(integration, one);
    }
    one(seconds);
  }

  const decisions = Object.create(service, {
    decide: {
      async value(...[request, integration, bytes]: Parameters<Measured['decide']>) {
        const startedMs = clock();
        const decision = await service.decide(request, integration, bytes);
        const outcome = !decision.admitted ? 'denied' : decision.degraded ? 'degraded' : 'admitted';
        observe(integration, (clock() - startedMs) / 1000);
        count(() => counter({ integration, outcome }), `decide ${integration} ${outcome}`);
        return decision;
      },
    },
    reject: {
      async value(...[caller, errors, integration]: Parameters<Measured['reject']>) {
        const decision = await service.reject(caller, errors, integration);
        count(() => counter({ integration, outcome: 'denied' }), `decide ${integration} denied`);
        return decision;
      },
    },
    settle: {
      async value(request: never) {
        const settlement = await service.settle(request);
        const outcome = settlement.reason?.toLowerCase() ?? (settlement.repeated ? 'repeated' : 'settled');
        count(() => settlements({ outcome }), `settle ${outcome}`);
        return settlement;
      },
    },
  });
  return { decisions };
}
