/**
 * Returns whether a request contains the hash of a document but not its text, as with automatic
 * persisted queries.
 */
export function hasHashAlone({ query, extensions }: { query?: unknown; extensions?: unknown }): boolean {
  if (query !== undefined && query !== null && query !== '') return false;
  return typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions;
}
