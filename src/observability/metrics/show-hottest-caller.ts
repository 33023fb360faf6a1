import type { Gauge, Registry } from 'prom-client';
import { type HotCallers, MAX_HOT_CALLERS } from '../live/hot-callers.js';

/**
 * Registers the decisions per second of the busiest caller of this process. The metric has no label
 * for the caller, because every name would create a separate series. `hotCallers` of the admin API
 * returns the names.
 */
export function showHottestCaller(registry: Registry, hotCallers: Pick<HotCallers, 'mostPerSecond'>): void {
  const name = 'tollgate_hottest_caller_decisions_per_second';
  const help = `Decisions per second of the busiest caller of this process, over the last complete period of at least ten seconds. It is a lower bound, from a sketch of ${MAX_HOT_CALLERS} callers. It does not name the caller: hotCallers of the admin API does.`;
  const get = async () => {
    const values = [{ value: hotCallers.mostPerSecond, labels: {} }];
    return { name, help, type: 'gauge', aggregator: 'max', values };
  };
  registry.registerMetric({ name, help, type: 'gauge', labelNames: [], get } as unknown as Gauge);
}
