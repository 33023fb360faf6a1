// Servers call the hooks that they know on each entry of `plugins`. They ignore an entry without
// such hooks, and would run unprotected. So every object that could be passed there by mistake has
// the first hook of the wrong server.

export const FOR_APOLLO = 'tollgate.plugin()';
export const FOR_YOGA = 'useTollgate(tollgate) of tollgate/yoga';

/** Returns a hook that throws an error which names the right entry. */
export function misplaced(got: string, expected: string): () => never {
  return () => {
    throw new TypeError(`plugins: expected ${expected}, got ${got}`);
  };
}

/** Returns the first hooks of Apollo Server, and of GraphQL Yoga and Envelop. */
export function inNoServer(got: string): object {
  const rejectApollo = misplaced(got, FOR_APOLLO);
  return { serverWillStart: async () => rejectApollo(), onPluginInit: misplaced(got, FOR_YOGA) };
}
