const ROOTS: Record<string, string> = { Query: 'query', Mutation: 'mutation' };
/**
 * Built-in scalar types. Fields of all other types get a selection, because their names do not show
 * whether they are custom scalars or enums.
 */
const LEAVES = /^(String|Int|Float|Boolean|ID)$/;

/** Returns whether a type in SDL has no selection, as far as its name shows it. */
export function isLeaf(type: string): boolean {
  return LEAVES.test(type.replace(/[[\]!]/g, ''));
}

/**
 * Returns the URL of the explorer with an operation that selects a root field. Undefined for other
 * fields.
 * @param service name of the API. Null: the default API
 */
export function explorerPath(
  { coordinate, type }: { coordinate: string; type: string },
  service: string | null = null,
): string | undefined {
  const [parent = '', field = ''] = coordinate.split('.');
  if (!Object.hasOwn(ROOTS, parent)) return undefined;
  const selection = isLeaf(type) ? '' : ' {\n    __typename\n  }';
  const query = `${ROOTS[parent]} {\n  ${field}${selection}\n}\n`;
  return `/explorer?${new URLSearchParams({ query, ...(service !== null && { service }) })}`;
}
