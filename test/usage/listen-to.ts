import type { Db, SqlValue } from '../../src/postgres/db.js';

export type Statement = [sql: string, params: readonly SqlValue[]];

/** Returns a database that calls `hear` before it runs each statement. */
export function listenTo(db: Db, hear: (...statement: Statement) => void): Pick<Db, 'query' | 'tx'> {
  return {
    query(sql, params = []) {
      hear(sql, params);
      return db.query(sql, params);
    },
    tx: (run, options) =>
      db.tx(
        (tx) =>
          run({
            query(sql, params = []) {
              hear(sql, params);
              return tx.query(sql, params);
            },
            script: (sql) => tx.script(sql),
          }),
        options,
      ),
  };
}
