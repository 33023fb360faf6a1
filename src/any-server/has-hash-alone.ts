/** Returns whether a request has the hash of a text where the text should be, as automatic persisted queries have it. */
export function hasHashAlone({ query, extensions }: { query?: unknown; extensions?: unknown }): boolean {
  if (query !== undefined && query !== null && query !== '') return false;
  return typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions;
}
