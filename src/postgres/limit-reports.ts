import type { Connections, Db, PoolUse, Tx, TxOptions } from './db.js';

/**
 * Error of a report that cannot run, because too many reports are running or waiting. The caller
 * may retry later.
 */
export class ReportsBusy extends Error {}

interface ReportLimits {
  /**
   * Maximum number of reports that run at the same time.
   * @default half of the main pool; 1 on the embedded database
   */
  maxRunning?: number;
  /** Maximum number of reports that wait to run. @default 1000 */
  maxWaiting?: number;
  /** Maximum time for which a report waits to run, in milliseconds. @default 15000 */
  waitMs?: number;
}

/** Connections of a database for reports, which may take long. */
interface LimitedReports {
  readonly reports: Connections;
  use(): PoolUse;
}

/** Assumed size of the main pool, for a database that reports no pools. */
const UNKNOWN_POOL = 4;

/**
 * Limits the number of statements and transactions of reports that run at the same time. Reports
 * never occupy all connections of the main pool, so logins, changes and usage can always get a
 * connection.
 */
export function limitReports(db: Db, limits: ReportLimits = {}): LimitedReports {
  const pool = db.pools?.().find((one) => one.pool === 'main')?.max ?? UNKNOWN_POOL;
  const maxRunning = db.isEmbedded ? 1 : Math.max(1, Math.floor(pool / 2));
  return limitConnections(db, 'reports', { maxRunning, ...limits });
}

/**
 * Limits the number of statements and transactions that run at the same time on connections for
 * reports.
 * @param pool name of the pool, for metrics
 */
export function limitConnections(
  connections: Connections,
  pool: string,
  { maxRunning, maxWaiting = 1000, waitMs = 15_000 }: ReportLimits & { maxRunning: number },
): LimitedReports {
  const waiting = new Set<() => void>();
  let running = 0;

  function enter(): Promise<void> | undefined {
    if (running < maxRunning) {
      running++;
      return undefined;
    }
    if (waiting.size >= maxWaiting) throw new ReportsBusy(`${maxWaiting} reports are waiting already`);
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        waiting.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(new ReportsBusy(`a report got no connection within ${waitMs} ms`));
      }, waitMs);
      waiting.add(start);
    });
  }

  /**
   * Starts the report that has waited longest. If no report waits, lowers the number of running
   * ones.
   */
  function leave(): void {
    const [next] = waiting;
    if (next) next();
    else running--;
  }

  async function limited<T>(run: () => Promise<T>): Promise<T> {
    await enter();
    try {
      return await run();
    } finally {
      leave();
    }
  }

  return {
    reports: {
      query: (sql, params) => limited(() => connections.query(sql, params)),
      tx: <T>(run: (tx: Tx) => Promise<T>, options?: TxOptions) => limited(() => connections.tx(run, options)),
    },
    use: () => ({ pool, inUse: running, waiting: waiting.size, max: maxRunning }),
  };
}
