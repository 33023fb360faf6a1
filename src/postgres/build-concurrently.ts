import type { Queryable } from './db.js';

/** An index that is built while other connections write to its table. */
interface ConcurrentIndex {
  name: string;
  table: string;
  /** Columns and conditions: the rest of the statement after the table. */
  definition: string;
}

const STATEMENT = /^create index concurrently (\w+) on (\w+) ([^;]+)$/i;
const CONCURRENTLY = /\bconcurrently\b/i;

/**
 * Reads the indexes of a migration that builds them concurrently. Returns an empty list for any
 * other migration.
 * @throws Error if a migration that builds an index concurrently contains other statements. It runs
 * outside a transaction and may be repeated, which is safe only for index builds
 */
export function readConcurrentIndexes(sql: string): ConcurrentIndex[] {
  const text = sql.replace(/--.*$/gm, '');
  if (!CONCURRENTLY.test(text)) return [];
  const statements = text.split(';').map((one) => one.trim().replace(/\s+/g, ' '));
  return statements
    .filter((statement) => statement !== '')
    .map((statement) => {
      const [, name, table, definition] = STATEMENT.exec(statement) ?? [];
      if (!name || !table || !definition?.startsWith('(') || !name.startsWith(`${table}_`)) {
        const expected = 'create index concurrently TABLE_COLUMNS_idx on TABLE (COLUMNS)';
        throw new Error(
          `expected "${expected}", because a file that builds an index concurrently must contain no other statements; got "${statement}"`,
        );
      }
      return { name, table, definition };
    });
}

/**
 * Returns the migration with ordinary index builds, for a database without other users. It then
 * runs in a transaction, like any other migration.
 */
export function withoutConcurrently(sql: string): string {
  return sql.replace(/\bcreate index concurrently\b/gi, 'create index');
}

/** Connections with which an index is built. */
interface Builder {
  /**
   * Transaction that must hold no snapshot between its statements, because an index build waits for
   * older snapshots. So its statements must have no parameters: after a statement with parameters,
   * PostgreSQL keeps the snapshot until the next statement.
   */
  tx: Queryable;
  alone(sql: string): Promise<void>;
}

/**
 * Builds an index without blocking writes to its table. For a partitioned table, it builds the
 * index of each partition and then attaches it. If an interrupted attempt left a complete index,
 * the function reuses it. The function drops an incomplete index and builds it again.
 */
export async function buildConcurrently(index: ConcurrentIndex, { tx, alone }: Builder): Promise<void> {
  const { name, table, definition } = index;
  if (!(await isPartitioned(tx, table))) return buildOne(index, { tx, alone });
  await alone(`create index if not exists ${name} on only ${table} ${definition}`);
  for (const part of await partsMissing(tx, index)) {
    await buildOne({ ...part, definition }, { tx, alone });
    await alone(`alter index ${name} attach partition ${part.name}`);
  }
}

async function buildOne({ name, table, definition }: ConcurrentIndex, { tx, alone }: Builder): Promise<void> {
  const [left] = await tx.query<{ isWhole: boolean }>(
    `select indisvalid as "isWhole" from pg_index where indexrelid = to_regclass(${literal(name)})`,
  );
  if (left?.isWhole) return;
  if (left) await alone(`drop index concurrently ${name}`);
  await alone(`create index concurrently ${name} on ${table} ${definition}`);
}

async function isPartitioned(tx: Queryable, table: string): Promise<boolean> {
  const sql = `select relkind from pg_class where oid = to_regclass(${literal(table)})`;
  const [row] = await tx.query<{ relkind: string }>(sql);
  return row?.relkind === 'p';
}

/**
 * Lists the partitions whose index is not attached, with the name that PostgreSQL would give that
 * index. Partitions that are created later have their index from the start.
 */
function partsMissing(
  tx: Queryable,
  { name, table }: ConcurrentIndex,
): Promise<Pick<ConcurrentIndex, 'name' | 'table'>[]> {
  const suffix = literal(name.slice(table.length));
  return tx.query(
    `select quote_ident(child.relname) as "table", quote_ident(child.relname || ${suffix}) as name
     from pg_inherits join pg_class child on child.oid = inhrelid
     where inhparent = to_regclass(${literal(table)}) and not exists (
       select from pg_inherits of_index join pg_index part on part.indexrelid = of_index.inhrelid
       where of_index.inhparent = to_regclass(${literal(name)}) and part.indrelid = child.oid
     )
     order by child.relname`,
  );
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
