import type { Socket } from 'node:net';
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { timerMs } from '../runtime/schedule.js';
import { type Connections, type Db, type Queryable, type SqlValue, type Tx, VALUE_PARSERS } from './db.js';
import { importPg } from './import-pg.js';
import { limitConnections } from './limit-reports.js';
import { createLimitedPool, type LimitedPool, withoutStatementTimeout } from './limited-pool.js';
import { createTransactionScope, type TransactionScope } from './transaction-scope.js';

export interface PgDbOptions {
  /** Connection URL: `postgres://user:password@host:port/database`. */
  url: string;
  /**
   * Connection URL of a replica (a standby of the server of `url`), which answers the queries about
   * usage. While it does not respond, the server of `url` answers them. @default none
   */
  readUrl?: string;
  /**
   * Maximum number of connections for the admin API, reports and usage, and of those to the
   * replica. @default 6
   */
  maxConnections?: number;
  /**
   * Maximum number of connections for the statements that requests wait for: look-ups of callers,
   * and the rules in force. They are in addition to `maxConnections`.
   * @default 4
   */
  maxLookupConnections?: number;
  /** Maximum time for which a statement waits for a connection, in milliseconds. @default 5000 */
  connectTimeoutMs?: number;
  /** Maximum duration of a statement, in milliseconds. @default 15000 */
  statementTimeoutMs?: number;
  /**
   * Time for which `close` waits for running statements before it closes their connections, in
   * milliseconds.
   * @default 1000
   */
  closeTimeoutMs?: number;
}

export const DEFAULT_CONNECTIONS = { main: 6, lookups: 4 } as const;

const SCRIPT_TIMEOUT_MS = 3_600_000;

/**
 * Creates two pools of connections to a PostgreSQL server: `lookups` for the statements that
 * requests wait for, and the main one for all others. A replica has a third pool. A pool connects
 * on first use. If the server is unavailable, only the queries fail.
 */
export async function createPgDb({
  url,
  readUrl,
  maxConnections = DEFAULT_CONNECTIONS.main,
  maxLookupConnections = DEFAULT_CONNECTIONS.lookups,
  connectTimeoutMs = 5_000,
  statementTimeoutMs = 15_000,
  closeTimeoutMs = 1_000,
}: PgDbOptions): Promise<Db> {
  const { default: pg } = await importPg();
  const types = new pg.TypeOverrides();
  for (const [oid, parse] of VALUE_PARSERS) types.setTypeParser(oid, 'text', parse);
  const sockets = new Set<Socket>();
  const poolOf = (to: string, max: number) =>
    createLimitedPool({ pg, url: to, max, types, connectTimeoutMs, statementTimeoutMs, sockets });
  const main = poolOf(url, maxConnections);
  const lookups = poolOf(url, maxLookupConnections);
  const pools = [main, lookups];
  const scope = createTransactionScope();
  let closed: Promise<void> | undefined;

  function openReplica(to: string) {
    const pool = poolOf(to, maxConnections);
    pools.push(pool);
    return limitConnections(connectionsOf(pool, scope), 'replica', { maxRunning: maxConnections });
  }

  const replica = readUrl === undefined ? undefined : openReplica(readUrl);

  return {
    ...connectionsOf(main, scope),
    lookups: connectionsOf(lookups, scope),
    ...(replica && { replica: replica.reports }),
    async alone(sql) {
      const client = new pg.Client({
        connectionString: withoutStatementTimeout(url),
        application_name: 'tollgate',
        connectionTimeoutMillis: connectTimeoutMs,
        keepAlive: true,
      });
      client.on('error', () => {});
      await client.connect();
      try {
        // The role may have a statement timeout, which must not end this statement. Behind a pooler
        // the timeout is not changed, because the pooler would keep the setting for the next client
        // of the connection.
        if (main.limitsConnections()) await client.query('set statement_timeout = 0');
        const config: QueryConfig & { query_timeout: number } = { text: sql, query_timeout: SCRIPT_TIMEOUT_MS };
        await client.query(config);
      } finally {
        await client.end();
      }
    },
    pools: () => [
      { pool: 'main', ...main.use() },
      { pool: 'lookups', ...lookups.use() },
      ...(replica ? [replica.use()] : []),
    ],
    close() {
      closed ??= end();
      return closed;
    },
  };

  /**
   * Closes the pools, and destroys the sockets that are still open after the timeout. A server that
   * hangs responds to neither a statement nor the end of a connection, and an open socket keeps the
   * process alive.
   */
  async function end(): Promise<void> {
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, timerMs(closeTimeoutMs));
    await Promise.all(pools.map((pool) => pool.end()));
    await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    clearTimeout(timer);
  }
}

function connectionsOf(pool: LimitedPool, scope: TransactionScope): Connections {
  return {
    query: async <Row>(sql: string, params: readonly SqlValue[] = []) => {
      scope.assertOutside('query');
      return rowsOf<Row>(await pool.query(sql, params));
    },
    async tx(run, { isGuarded = true } = {}) {
      scope.assertOutside('tx');
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query(pool.begin());
        const inside = () => run(txOf(client));
        const result = await (isGuarded ? scope.run(inside) : inside());
        await commit(client);
        return result;
      } catch (error) {
        // A connection on which the rollback fails is not used again. On a connection that timed
        // out, no rollback is sent, because the caller would wait for a second timeout.
        if (isSilence(error)) broken = error;
        else {
          await client.query('rollback').catch((reason: Error) => {
            broken = reason;
          });
        }
        throw error;
      } finally {
        client.release(broken);
      }
    },
  };
}

/**
 * Returns whether an error is the driver's timeout for a statement. This error has no code, so the
 * function compares its text.
 */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

function txOf(client: PoolClient): Tx {
  const query: Queryable['query'] = async <Row>(sql: string, params: readonly SqlValue[] = []) =>
    rowsOf<Row>(await client.query(sql, [...params]));
  return {
    query,
    async script(sql) {
      await query('set local statement_timeout = 0');
      const config: QueryConfig & { query_timeout: number } = { text: sql, query_timeout: SCRIPT_TIMEOUT_MS };
      await client.query(config);
    },
  };
}

/**
 * Commits a transaction. If a statement of the transaction has failed, PostgreSQL rolls back on
 * commit without an error. This function throws in that case.
 */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command === 'ROLLBACK') {
    throw Object.assign(new Error('The transaction was rolled back: one of its statements failed'), {
      code: '25P02',
    });
  }
}

function rowsOf<Row>(result: QueryResult): Row[] {
  return result.rows as Row[];
}
