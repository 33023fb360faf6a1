/** What a statement takes. JSON goes in as text: `$1::jsonb` with `JSON.stringify(value)`. */
export type SqlValue = string | number | bigint | boolean | Date | null | readonly (string | number | boolean | null)[];

export interface Queryable {
  /**
   * Runs one statement with `$1`-style parameters. On both databases int8 comes back as a number (a bigint where a
   * number would round), numeric as text, timestamptz as a `Date`, date as `YYYY-MM-DD`, json and jsonb parsed. A
   * failure of the database keeps its SQLSTATE in `code`.
   */
  query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
}

export interface Tx extends Queryable {
  /** Runs several statements without parameters, without the deadline of single statements. For migrations. */
  script(sql: string): Promise<void>;
}

export interface TxOptions {
  /**
   * Whether a use of the same `Db` inside is found out. While it is looked for, Node follows every promise of the process,
   * those of requests too, which then take up to twice the processor time: a transaction that comes every second goes
   * without. @default true
   */
  isGuarded?: boolean;
}

/** A source of connections: each statement, and each transaction, takes one for as long as it lasts. */
export interface Connections extends Queryable {
  /**
   * Runs `run` in one transaction: committed when it resolves, rolled back when it rejects. Inside, only the `tx` it is
   * given may be used: the same `Db` would wait for itself (embedded) or write outside the transaction (server), so its
   * use there is an error on both.
   */
  tx<T>(run: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
}

/** How much of a pool of connections is in use. */
export interface PoolUse {
  /** `main`, `lookups`, or `reports`. */
  pool: string;
  /** Connections that run a statement or a transaction. */
  inUse: number;
  /** Statements and transactions that wait for a connection. */
  waiting: number;
  /** Maximum number of connections. */
  max: number;
}

/** A PostgreSQL: a server's, or the embedded one. The same SQL runs on both. */
export interface Db extends Connections {
  /**
   * Connections of their own for the statements that requests wait for: look-ups of callers, the change feed and the
   * ruleset. Statements of the administration and of reports never hold one of them. @default the database itself
   */
  readonly lookups?: Connections;
  /** Returns the present use of each pool, for metrics. @default no pool is shown */
  pools?(): PoolUse[];
  /**
   * Runs one statement without parameters on a connection of its own, outside a transaction and without a deadline: what
   * migrations need for indexes that are built while others write. @default it runs as any other statement
   */
  alone?(sql: string): Promise<void>;
  /** It runs in this process, which does nothing else while a statement runs. @default false */
  readonly isEmbedded?: boolean;
  /** Waits for running statements, of a server for a moment only, then lets go of everything. */
  close(): Promise<void>;
}

/** The SQLSTATE of a failure of the database, for example `23505`; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** How values leave the database, by type oid: one table for both drivers, so that they cannot differ. */
export const VALUE_PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>(
  [
    [20, parseInt8],
    [1082, (text) => text], // date: a day of the calendar, not a moment in some time zone
    [1184, parseTimestamptz],
    [1700, (text) => text], // numeric: exact, so not a number
  ],
);

function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** PostgreSQL writes `2026-01-31 12:00:00.5+00`; ISO 8601 wants a `T` and minutes in the offset. */
function parseTimestamptz(text: string): Date {
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}
