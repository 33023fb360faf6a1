/**
 * Returns whether a request contains only the hash of a text, in the form of automatic persisted
 * queries.
 */
export function hasHashAlone({ query, extensions }: { query?: unknown; extensions?: unknown }): boolean {
  if (query !== undefined && query !== null && query !== '') return false;
  return typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions;
}
