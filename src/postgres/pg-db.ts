import { Socket } from 'node:net';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { type Db, type Queryable, type SqlValue, type Tx, VALUE_PARSERS } from './db.js';
import { importPg } from './import-pg.js';
import { createTransactionScope } from './transaction-scope.js';

export interface PgDbOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** Connections at most. @default 10 */
  maxConnections?: number;
  /** How long a statement may wait for a connection, new or free. @default 5000 */
  connectTimeoutMs?: number;
  /** How long a statement may run. @default 15000 */
  statementTimeoutMs?: number;
  /** How long `close` waits for statements that run; then their connections are cut. @default 1000 */
  closeTimeoutMs?: number;
}

const SCRIPT_TIMEOUT_MS = 3_600_000;
/** The client waits a little longer than the server, whose answer says more; it ends the wait on a dead connection. */
const CLIENT_SLACK_MS = 1_000;

/** A pool of connections to a PostgreSQL server. It connects when first used, so a server that is away fails queries only. */
export async function createPgDb({
  url,
  maxConnections = 10,
  connectTimeoutMs = 5_000,
  statementTimeoutMs = 15_000,
  closeTimeoutMs = 1_000,
}: PgDbOptions): Promise<Db> {
  const { default: pg } = await importPg();
  const types = new pg.TypeOverrides();
  for (const [oid, parse] of VALUE_PARSERS) types.setTypeParser(oid, 'text', parse);
  const sockets = new Set<Socket>();
  const timeoutMs = statementTimeoutOf(url) ?? statementTimeoutMs;
  const openPool = (limitsStatements: boolean) => {
    const opened = new pg.Pool({
      connectionString: limitsStatements ? url : withoutStatementTimeout(url),
      application_name: 'tollgate',
      max: maxConnections,
      connectionTimeoutMillis: connectTimeoutMs,
      ...(limitsStatements && { statement_timeout: timeoutMs }),
      query_timeout: timeoutMs + CLIENT_SLACK_MS,
      keepAlive: true,
      types,
      stream() {
        const socket = new Socket();
        sockets.add(socket);
        return socket.once('close', () => sockets.delete(socket));
      },
    });
    // An idle connection that dies is replaced by the pool; without a listener the event would end the process.
    opened.on('error', () => {});
    opened.on('connect', (client) => client.on('error', () => {}));
    return opened;
  };
  let pool = openPool(true);
  /** Whether connections carry the limit of a statement's time. Those of a pooler such as PgBouncer cannot. */
  let limitsStatements = true;
  const scope = createTransactionScope();
  let closed: Promise<void> | undefined;

  let isModeKnown = false;
  let choosing: Promise<void> | undefined;

  /** Makes one connection before all others: a pool that ends leaves those waiting that ask it for one. */
  async function chooseMode(): Promise<void> {
    try {
      (await pool.connect()).release();
    } catch (error) {
      if (!isRejectedParameter(error)) throw error;
      void pool.end().catch(() => {});
      limitsStatements = false;
      pool = openPool(false);
    }
    isModeKnown = true;
  }

  async function openedPool(): Promise<Pool> {
    if (isModeKnown) return pool;
    choosing ??= chooseMode().finally(() => {
      choosing = undefined;
    });
    await choosing;
    return pool;
  }

  return {
    query: async <Row>(sql: string, params: readonly SqlValue[] = []) => {
      scope.assertOutside('query');
      return rowsOf<Row>(await (await openedPool()).query(sql, [...params]));
    },
    async tx(run, { isGuarded = true } = {}) {
      scope.assertOutside('tx');
      const client = await (await openedPool()).connect();
      let broken: Error | undefined;
      try {
        await client.query(limitsStatements ? 'begin' : `begin; set local statement_timeout = ${timeoutMs}`);
        const inside = () => run(txOf(client));
        const result = await (isGuarded ? scope.run(inside) : inside());
        await commit(client);
        return result;
      } catch (error) {
        // A connection that cannot even roll back is not used again; one that is silent would keep who waits for as long once more.
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
    close() {
      closed ??= end();
      return closed;
    },
  };

  /** A server that hangs answers neither a statement nor the end of a connection, and an open socket keeps the process alive. */
  async function end(): Promise<void> {
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, closeTimeoutMs);
    await pool.end();
    await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    clearTimeout(timer);
  }
}

/** PgBouncer names the parameter of the start of a connection that it does not know. */
function isRejectedParameter(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter: statement_timeout/.test(error.message);
}

/** The limit that a URL sets, as `?statement_timeout=3000` does. */
function statementTimeoutOf(url: string): number | undefined {
  const found = /[?&]statement_timeout=(\d{1,9})(?:&|$)/.exec(url)?.[1];
  return found === undefined ? undefined : Number(found);
}

function withoutStatementTimeout(url: string): string {
  return url.replace(/([?&])statement_timeout=[^&]*(?:&|$)/, '$1');
}

/** The client has waited for longer than the server may take: it is told only by this text. */
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

/** PostgreSQL answers the commit of a transaction in which a statement failed with a silent rollback. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command === 'ROLLBACK') {
    throw Object.assign(new Error('The transaction was rolled back: one of its statements had failed'), {
      code: '25P02',
    });
  }
}

function rowsOf<Row>(result: QueryResult): Row[] {
  return result.rows as Row[];
}
