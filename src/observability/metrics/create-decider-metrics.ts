import type { Registry } from 'prom-client';
import type { AskedBy } from '../../model/asked-by.js';
import { type Cell, createPlainCounter, createPlainHistogram, type Observe } from './bound-metrics.js';
import { Gauge } from './load-prom-client.js';

/** The functions of a decision service that are measured. */
interface Measured {
  decide(request: never, by: AskedBy, bytes: number): Promise<{ admitted: boolean; degraded: boolean }>;
  reject(caller: never, errors: never, by: AskedBy): Promise<unknown>;
  readonly totals: ReadonlyMap<
    string,
    { readonly waiting: number; readonly expired: number; readonly evicted: number }
  >;
}

interface SettlementOutcome {
  repeated: boolean;
  reason?: string | undefined;
}

interface DeciderMetrics {
  /** Counts a settlement. `integration` asked for the decision; undefined for an invalid receipt. */
  onSettlement(integration: string | undefined, settlement: SettlementOutcome): void;
  /** Returns the service with functions that count decisions and measure their time. */
  measure<Service extends Measured>(service: Service): Service;
}

const BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];

/** Creates the metrics of a decision service, by the integration that asked for the decision. */
export function createDeciderMetrics(registry: Registry, clock: () => number): DeciderMetrics {
  const counter = createPlainCounter({
    name: 'tollgate_decider_decisions_total',
    help: 'Decisions for other servers, by integration and by outcome: admitted, denied, or degraded, which is admitted without Redis.',
    labels: ['integration', 'outcome'],
    registry,
  });
  const settlements = createPlainCounter({
    name: 'tollgate_decider_settlements_total',
    help: 'Settlements by other servers, by the integration of the decision (none for an invalid receipt) and by outcome: settled, repeated, or the reason why nothing was settled.',
    labels: ['integration', 'outcome'],
    registry,
  });
  const histogram = createPlainHistogram({
    name: 'tollgate_decider_seconds',
    help: 'Time of a decision for another server, by integration.',
    labels: ['integration'],
    buckets: BUCKETS_S,
    registry,
  });
  const cells = new Map<string, Cell>();
  const observers = new Map<string, Observe>();

  function count(metric: typeof counter, integration: string, outcome: string): void {
    const key = `${metric === counter ? 'decide' : 'settle'} ${integration} ${outcome}`;
    let cell = cells.get(key);
    if (!cell) {
      cell = metric({ integration, outcome });
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

  return {
    onSettlement(integration = 'none', { repeated, reason }) {
      count(settlements, integration, reason?.toLowerCase() ?? (repeated ? 'repeated' : 'settled'));
    },
    measure<Service extends Measured>(service: Service): Service {
      showReceipts(registry, service);
      return Object.create(service, {
        decide: {
          async value(...[request, by, bytes]: Parameters<Measured['decide']>) {
            const startedMs = clock();
            const decision = await service.decide(request, by, bytes);
            const outcome = !decision.admitted ? 'denied' : decision.degraded ? 'degraded' : 'admitted';
            observe(by.integration, (clock() - startedMs) / 1000);
            count(counter, by.integration, outcome);
            return decision;
          },
        },
        reject: {
          async value(...[caller, errors, by]: Parameters<Measured['reject']>) {
            const decision = await service.reject(caller, errors, by);
            count(counter, by.integration, 'denied');
            return decision;
          },
        },
      });
    },
  };
}

const RECEIPTS = {
  waiting: 'Admitted operations in memory that wait for a settlement, by integration.',
  expired:
    'Receipts that expired without a settlement since the start, by integration. Their estimates remain charged.',
  evicted:
    'Operations that left the memory before their settlement since the start, because too many waited, by integration.',
} as const;

function showReceipts(registry: Registry, service: Pick<Measured, 'totals'>): void {
  for (const [name, help] of Object.entries(RECEIPTS)) {
    new Gauge({
      name: `tollgate_decider_receipts_${name}`,
      help,
      labelNames: ['integration'],
      registers: [registry],
      collect() {
        for (const [integration, numbers] of service.totals)
          this.set({ integration }, numbers[name as keyof typeof RECEIPTS]);
      },
    });
  }
}
