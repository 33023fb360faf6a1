import { Socket } from 'node:net';
import type { CustomTypesConfig, Pool, PoolClient, QueryResult } from 'pg';
import type { SqlValue } from './db.js';
import type { importPg } from './import-pg.js';

/**
 * Pool of connections that limits the duration of statements. Poolers such as PgBouncer reject the
 * limit as a parameter of a new connection. Behind a pooler, each transaction sets the limit, and
 * single statements have only the timeout of the client.
 */
export interface LimitedPool {
  query(sql: string, params: readonly SqlValue[]): Promise<QueryResult>;
  connect(): Promise<PoolClient>;
  /** Returns the statement that begins a transaction with the limit. */
  begin(): string;
  /** Returns whether the limit is a parameter of the connections. */
  limitsConnections(): boolean;
  /**
   * Returns the numbers of connections in use and of waiting statements, and the maximum number of
   * connections.
   */
  use(): { inUse: number; waiting: number; max: number };
  end(): Promise<void>;
}

interface LimitedPoolOptions {
  pg: Awaited<ReturnType<typeof importPg>>['default'];
  url: string;
  max: number;
  types: CustomTypesConfig;
  connectTimeoutMs: number;
  /** Maximum duration of a statement, in milliseconds. A limit in the URL takes precedence. */
  statementTimeoutMs: number;
  /**
   * Open sockets of the pool. The pool adds each new socket, and removes a socket when it closes.
   */
  sockets: Set<Socket>;
}

/**
 * Difference between the statement timeouts of the client and of the server, in milliseconds. The
 * server times out first, because its error is more precise. The client's timeout is for dead
 * connections.
 */
const CLIENT_SLACK_MS = 1_000;

export function createLimitedPool(options: LimitedPoolOptions): LimitedPool {
  const { pg, url, max, types, connectTimeoutMs, sockets } = options;
  const timeoutMs = statementTimeoutOf(url) ?? options.statementTimeoutMs;
  let limitsConnections = true;
  let isModeKnown = false;
  let choosing: Promise<void> | undefined;
  let pool = open();

  function open(): Pool {
    const opened = new pg.Pool({
      connectionString: limitsConnections ? url : withoutStatementTimeout(url),
      application_name: 'tollgate',
      max,
      connectionTimeoutMillis: connectTimeoutMs,
      ...(limitsConnections && { statement_timeout: timeoutMs }),
      query_timeout: timeoutMs + CLIENT_SLACK_MS,
      keepAlive: true,
      types,
      stream() {
        const socket = new Socket();
        sockets.add(socket);
        return socket.once('close', () => sockets.delete(socket));
      },
    });
    // The pool replaces an idle connection that dies. Without a listener, the event would end the
    // process.
    opened.on('error', () => {});
    opened.on('connect', (client) => client.on('error', () => {}));
    return opened;
  }

  /**
   * Opens one connection before all others, to learn whether the server accepts the limit.
   * Otherwise several callers could wait for connections of a pool that is closing, and their
   * promises would never settle.
   */
  async function chooseMode(): Promise<void> {
    try {
      (await pool.connect()).release();
    } catch (error) {
      if (!isRejectedParameter(error)) throw error;
      void pool.end().catch(() => {});
      limitsConnections = false;
      pool = open();
    }
    isModeKnown = true;
  }

  async function opened(): Promise<Pool> {
    if (isModeKnown) return pool;
    choosing ??= chooseMode().finally(() => {
      choosing = undefined;
    });
    await choosing;
    return pool;
  }

  return {
    query: async (sql, params) => (await opened()).query(sql, [...params]),
    connect: async () => (await opened()).connect(),
    begin: () => (limitsConnections ? 'begin' : `begin; set local statement_timeout = ${timeoutMs}`),
    limitsConnections: () => limitsConnections,
    use: () => ({ inUse: pool.totalCount - pool.idleCount, waiting: pool.waitingCount, max }),
    end: () => pool.end(),
  };
}

/** Returns whether the server rejected the limit. PgBouncer names the unknown startup parameter. */
function isRejectedParameter(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter: statement_timeout/.test(error.message);
}

/** Returns the limit that a URL sets, as in `?statement_timeout=3000`. */
function statementTimeoutOf(url: string): number | undefined {
  const found = /[?&]statement_timeout=(\d{1,9})(?:&|$)/.exec(url)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Returns the URL without its limit, which a pooler would reject. */
export function withoutStatementTimeout(url: string): string {
  return url.replace(/([?&])statement_timeout=[^&]*(?:&|$)/, '$1');
}
