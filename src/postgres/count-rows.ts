import type { Connections, Queryable, SqlValue } from './db.js';

/**
 * Returns the number of rows that the statement of `read` would return. PostgreSQL counts the rows
 * of that same statement. So a list and its count always agree, and no row is transferred. `read`
 * must run one read-only statement.
 */
export async function countRows(db: Queryable, read: (on: Connections) => Promise<unknown>): Promise<number> {
  let count = 0;
  const never = () =>
    Promise.reject(new Error('countRows: expected `read` to run one statement, without a transaction'));
  await read({
    async query<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
      const statement = `select count(*)::integer as count from (${sql}) as counted`;
      const [row] = await db.query<{ count: number }>(statement, params);
      count = row!.count;
      return [];
    },
    tx: never,
  });
  return count;
}
