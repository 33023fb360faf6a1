/** Names of a caller in the URL of their page. */
export interface CallerParts {
  user?: string | null;
  tenant?: string | null;
  apiKey?: string | null;
  ip?: string | null;
}

/**
 * Returns the URL of a caller's page. The names are in the query, not in the path: a user may be
 * named `..`, which browsers remove from a path. Undefined for callers that are counted together.
 */
export function callerPath({ user, tenant, apiKey, ip }: CallerParts): string | undefined {
  const query = new URLSearchParams();
  if (user) query.set('user', user);
  if (tenant) query.set('tenant', tenant);
  if (query.size === 0 && apiKey) query.set('apiKey', apiKey);
  if (query.size === 0 && ip) query.set('ip', ip);
  return query.size > 0 ? `/caller?${query}` : undefined;
}
