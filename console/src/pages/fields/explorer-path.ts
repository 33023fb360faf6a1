const ROOTS: Record<string, string> = { Query: 'query', Mutation: 'mutation' };
/** Built-in scalar types. Fields of other types get a selection, even if the type is a scalar. */
const LEAVES = /^(String|Int|Float|Boolean|ID)$/;

/**
 * Returns the address of the explorer with an operation that selects a root field. Undefined for
 * other fields.
 */
export function explorerPath({ coordinate, type }: { coordinate: string; type: string }): string | undefined {
  const [parent = '', field = ''] = coordinate.split('.');
  if (!Object.hasOwn(ROOTS, parent)) return undefined;
  const selection = LEAVES.test(type.replace(/[[\]!]/g, '')) ? '' : ' {\n    __typename\n  }';
  return `/explorer?${new URLSearchParams({ query: `${ROOTS[parent]} {\n  ${field}${selection}\n}\n` })}`;
}
