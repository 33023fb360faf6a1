const ROOTS: Record<string, string> = { Query: 'query', Mutation: 'mutation' };
/** Types without a selection, as far as the name of a type shows it. */
const LEAVES = /^(String|Int|Float|Boolean|ID)$/;

/**
 * Returns the address of the explorer with an operation that selects a root field. Undefined for
 * other fields.
 * @param service name of the API. Null: the default API
 */
export function explorerPath(
  { coordinate, type }: { coordinate: string; type: string },
  service: string | null = null,
): string | undefined {
  const [parent = '', field = ''] = coordinate.split('.');
  if (!Object.hasOwn(ROOTS, parent)) return undefined;
  const selection = LEAVES.test(type.replace(/[[\]!]/g, '')) ? '' : ' {\n    __typename\n  }';
  const query = `${ROOTS[parent]} {\n  ${field}${selection}\n}\n`;
  return `/explorer?${new URLSearchParams({ query, ...(service !== null && { service }) })}`;
}
