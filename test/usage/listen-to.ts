import type { Db, SqlValue } from '../../src/postgres/db.js';

export type Statement = [sql: string, params: readonly SqlValue[]];

/** Wraps a database so that it calls `onStatement` before each statement. */
export function listenTo(db: Db, onStatement: (...statement: Statement) => void): Pick<Db, 'query' | 'tx'> {
  return {
    query(sql, params = []) {
      onStatement(sql, params);
      return db.query(sql, params);
    },
    tx: (run, options) =>
      db.tx(
        (tx) =>
          run({
            query(sql, params = []) {
              onStatement(sql, params);
              return tx.query(sql, params);
            },
            script: (sql) => tx.script(sql),
          }),
        options,
      ),
  };
}
