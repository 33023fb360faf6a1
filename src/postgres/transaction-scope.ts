import { AsyncLocalStorage } from 'node:async_hooks';

export type TransactionScope = ReturnType<typeof createTransactionScope>;

/**
 * Creates a scope that detects calls from inside a transaction of one database. It turns the use of
 * `db` instead of `tx` into an error. On PGlite, which has one connection, such a use would hang
 * permanently. On a server, the statement would run outside the transaction without an error.
 */
export function createTransactionScope() {
  const scope = new AsyncLocalStorage<true>();
  let running = 0;
  return {
    async run<T>(inside: () => Promise<T>): Promise<T> {
      running++;
      try {
        return await scope.run(true, inside);
      } finally {
        running--;
        // While a scope is in use, Node tracks every promise of the process, including those of
        // requests.
        if (running === 0) scope.disable();
      }
    },
    assertOutside(method: string): void {
      if (scope.getStore())
        throw new Error(`db.${method} was called inside db.tx: use the tx that its callback receives`);
    },
  };
}
