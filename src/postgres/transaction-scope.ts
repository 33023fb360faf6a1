import { AsyncLocalStorage } from 'node:async_hooks';

export type TransactionScope = ReturnType<typeof createTransactionScope>;

/**
 * Knows whether the running code was called from inside a transaction of one database. It turns the use of `db` where
 * `tx` was meant into an error: on PGlite, which has one connection, it would hang for ever; on a server it would
 * silently not be part of the transaction.
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
        // While a scope is in use Node follows every promise of the process, those of requests too.
        if (running === 0) scope.disable();
      }
    },
    assertOutside(method: string): void {
      if (scope.getStore()) throw new Error(`db.${method} was called inside db.tx: use the tx given to its callback`);
    },
  };
}
