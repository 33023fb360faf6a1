import { collectDefaultMetrics, type Registry } from 'prom-client';
import { type Cell, createPlainCounter } from '../../observability/metrics/bound-metrics.js';
import { loadPromClient } from '../../observability/metrics/load-prom-client.js';

export interface ServerMetrics {
  /** Counts a response of an API. */
  countAnswer(path: string, status: number): void;
  /** Returns the metrics in Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
}

/**
 * Creates the metrics of the server, in addition to Tollgate's own metrics: metrics of the process,
 * and the number of responses by status class.
 */
export async function createServerMetrics(registry: Registry): Promise<ServerMetrics> {
  await loadPromClient();
  collectDefaultMetrics({ register: registry });
  const answers = createPlainCounter({
    name: 'tollgate_http_requests_total',
    help: 'Responses of the APIs, by path and by status class, such as 4xx.',
    labels: ['path', 'status'],
    registry,
  });
  const cells = new Map<string, Cell[]>();

  return {
    countAnswer(path, status) {
      let byClass = cells.get(path);
      if (byClass === undefined) {
        byClass = [1, 2, 3, 4, 5].map((hundreds) => answers({ path, status: `${hundreds}xx` }));
        cells.set(path, byClass);
      }
      const cell = byClass[Math.floor(status / 100) - 1];
      if (cell) cell.count++;
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
