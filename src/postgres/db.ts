/** Parameter of a statement. JSON is passed as text: `$1::jsonb` with `JSON.stringify(value)`. */
export type SqlValue = string | number | bigint | boolean | Date | null | readonly (string | number | boolean | null)[];

export interface Queryable {
  /**
   * Runs one statement with `$1`-style parameters. A server and the embedded database return values
   * as follows:
   * - int8: a number, or a bigint if a number would round
   * - numeric: text
   * - timestamptz: a `Date`
   * - date: `YYYY-MM-DD`
   * - json and jsonb: parsed
   *
   * Rejects with the error of the database, whose `code` is the SQLSTATE.
   */
  query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
}

export interface Tx extends Queryable {
  /**
   * Runs several statements without parameters, for migrations. The deadline of single statements
   * does not apply.
   */
  script(sql: string): Promise<void>;
}

export interface TxOptions {
  /**
   * Whether any use of the same `Db` inside the transaction is reported as an error. During a
   * transaction with this check, Node tracks every promise of the process, and requests need up to
   * twice the processor time. A transaction that runs every second should disable this check.
   * @default true
   */
  isGuarded?: boolean;
}

/** Source of connections. Each statement and each transaction occupies one while it runs. */
export interface Connections extends Queryable {
  /**
   * Runs `run` in one transaction, which is committed if `run` resolves and rolled back if it
   * rejects. `run` may use only the given `tx`. Any use of the same `Db` is an error, because such
   * a statement would wait for its own transaction (embedded) or run outside the transaction
   * (server).
   */
  tx<T>(run: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
}

/** Use of a pool of connections. */
export interface PoolUse {
  /** Name of the pool: `main`, `lookups`, `reports`, or `replica`. */
  pool: string;
  /** Number of connections that run a statement or a transaction. */
  inUse: number;
  /** Number of statements and transactions that wait for a connection. */
  waiting: number;
  /** Maximum number of connections. */
  max: number;
}

/** A PostgreSQL database, on a server or embedded. The same SQL runs on both. */
export interface Db extends Connections {
  /**
   * Connections reserved for the statements that requests wait for: look-ups of callers, the change
   * feed and the ruleset. Statements of the admin API and of reports never occupy them.
   * @default the database itself
   */
  readonly lookups?: Connections;
  /**
   * Connections to a replica of the database, which accepts no writes and may be some seconds
   * behind. Reports about usage read it. @default none
   */
  readonly replica?: Connections;
  /** Returns the current use of each pool, for metrics. @default no metrics of pools */
  pools?(): PoolUse[];
  /**
   * Runs one statement without parameters on a separate connection, outside a transaction and
   * without a deadline. Migrations need it for indexes that are built while others write.
   * @default the statement runs like any other
   */
  alone?(sql: string): Promise<void>;
  /**
   * Whether the database runs in this process. A statement then blocks the event loop while it
   * runs.
   * @default false
   */
  readonly isEmbedded?: boolean;
  /**
   * Waits for running statements, then releases everything. Connections to a server are destroyed
   * after a timeout, even if statements still run.
   */
  close(): Promise<void>;
}

/**
 * Returns the SQLSTATE of an error of the database, for example `23505`; undefined for any other
 * error.
 */
export function sqlStateOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/**
 * Parsers of values from the database, by type oid. `pg` and PGlite share them, so that a server
 * and the embedded database return the same values.
 */
export const VALUE_PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>(
  [
    [20, parseInt8],
    [1082, (text) => text], // date: a calendar day without a time zone
    [1184, parseTimestamptz],
    [1700, (text) => text], // numeric: exact, so not a number
  ],
);

function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/**
 * Parses a time. PostgreSQL writes `2026-01-31 12:00:00.5+00`; ISO 8601 requires a `T` and minutes
 * in the offset.
 */
function parseTimestamptz(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}
