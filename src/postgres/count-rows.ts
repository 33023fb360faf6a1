import type { Connections, Queryable, SqlValue } from './db.js';

/**
 * How many rows a statement would have, by the statement itself: a list and the number of what is in it cannot come to
 * disagree, and no row is sent. `read` runs one statement that reads.
 */
export async function countRows(db: Queryable, read: (on: Connections) => Promise<unknown>): Promise<number> {
  let count = 0;
  const never = () => Promise.reject(new Error('counting reads, and does nothing else'));
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
