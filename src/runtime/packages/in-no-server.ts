// Servers ask whatever stands in `plugins` for the hooks that they know. What has none of these leaves a server without protection,
// and without a word: so each thing that could be put there by mistake has the hook with which the wrong server begins.

export const FOR_APOLLO = 'tollgate.plugin()';
export const FOR_YOGA = 'useTollgate(tollgate) of tollgate/yoga';

/** A hook that says what should stand in its place. */
export function misplaced(got: string, expected: string): () => never {
  return () => {
    throw new TypeError(`plugins: expected ${expected}, got ${got}`);
  };
}

/** The first hooks of Apollo Server, and of GraphQL Yoga and Envelop. */
export function inNoServer(got: string): object {
  const refuseApollo = misplaced(got, FOR_APOLLO);
  return { serverWillStart: async () => refuseApollo(), onPluginInit: misplaced(got, FOR_YOGA) };
}
