// A server ignores an entry of `plugins` that has none of its hooks, and would then run
// unprotected. So every object that a user may pass to the wrong server has the first hook of that
// server, which throws an error.

export const FOR_APOLLO = 'tollgate.plugin()';
export const FOR_YOGA = 'useTollgate(tollgate) of tollgate/yoga';

/** Returns a hook that throws an error. The message names the correct entry. */
export function misplaced(got: string, expected: string): () => never {
  return () => {
    throw new TypeError(`plugins: expected ${expected}, got ${got}`);
  };
}

/** Returns the first hooks of Apollo Server, GraphQL Yoga and Envelop. Each throws an error. */
export function inNoServer(got: string): object {
  const rejectApollo = misplaced(got, FOR_APOLLO);
  return { serverWillStart: async () => rejectApollo(), onPluginInit: misplaced(got, FOR_YOGA) };
}
