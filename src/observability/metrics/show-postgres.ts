import type { Registry } from 'prom-client';
import type { PoolUse } from '../../postgres/db.js';
import { Gauge } from './load-prom-client.js';

/**
 * Registers the use of each pool of connections to PostgreSQL. `pools` is called at each scrape.
 */
export function showPostgres(registry: Registry, pools: () => readonly PoolUse[]): void {
  const gauge = (name: string, help: string, member: 'inUse' | 'waiting' | 'max') =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const one of pools()) this.set({ pool: one.pool }, one[member]);
      },
    });
  gauge(
    'tollgate_postgres_connections_in_use',
    'Connections to PostgreSQL that run a statement, by pool: for the admin API (main), and for callers and rules (lookups). Connections of main that run a report are also counted as a third pool (reports). Connections to a replica are the pool replica.',
    'inUse',
  );
  gauge(
    'tollgate_postgres_connections_max',
    'Maximum number of connections to PostgreSQL, by pool. The maximum of reports is a part of the maximum of main.',
    'max',
  );
  gauge('tollgate_postgres_waiting', 'Statements that wait for a connection to PostgreSQL, by pool.', 'waiting');
}
