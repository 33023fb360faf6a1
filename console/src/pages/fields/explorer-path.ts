const ROOTS: Record<string, string> = { Query: 'query', Mutation: 'mutation' };
/** What takes no selection, as far as a type's name says so. */
const LEAVES = /^(String|Int|Float|Boolean|ID)$/;

/** The explorer with an operation that asks for a field, where one can begin with it; undefined for fields further down. */
export function explorerPath({ coordinate, type }: { coordinate: string; type: string }): string | undefined {
  const [parent = '', field = ''] = coordinate.split('.');
  if (!Object.hasOwn(ROOTS, parent)) return undefined;
  const selection = LEAVES.test(type.replace(/[[\]!]/g, '')) ? '' : ' {\n    __typename\n  }';
  return `/explorer?${new URLSearchParams({ query: `${ROOTS[parent]} {\n  ${field}${selection}\n}\n` })}`;
}
