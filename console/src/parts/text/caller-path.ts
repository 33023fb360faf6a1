/** What of a caller their address is made of. */
export interface CallerParts {
  user?: string | null;
  tenant?: string | null;
  apiKey?: string | null;
  ip?: string | null;
}

/**
 * The address of a caller's page. In the query and not in the path: a user may be named `..`, and no browser would ask for
 * that. Undefined for callers who are not told apart.
 */
export function callerPath({ user, tenant, apiKey, ip }: CallerParts): string | undefined {
  const query = new URLSearchParams();
  if (user) query.set('user', user);
  if (tenant) query.set('tenant', tenant);
  if (query.size === 0 && apiKey) query.set('apiKey', apiKey);
  if (query.size === 0 && ip) query.set('ip', ip);
  return query.size > 0 ? `/caller?${query}` : undefined;
}
