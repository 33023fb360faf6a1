import { keptName, MAX_NAME_BYTES } from '../../usage/record/stored-text.js';

/** A caller by the names that identify it. */
export interface NamedCaller {
  tenant?: string | undefined;
  user?: string | undefined;
  apiKey?: string | undefined;
  ip?: string | undefined;
}

/**
 * Returns the truncated names that identify a caller. If the user is known, the API key is ignored.
 */
export function namedCaller({ tenant, user, apiKey, ip }: NamedCaller): NamedCaller {
  const of = tenant === undefined ? undefined : keptName(tenant);
  if (user !== undefined) return { tenant: of, user: keptName(user) };
  return apiKey !== undefined ? { tenant: of, apiKey: keptName(apiKey) } : { tenant: of, ip: ip && keptName(ip) };
}

/**
 * Returns a text that is unique for each caller. Callers choose their names, so no separator is
 * safe: the text begins with the length of the tenant's name. JSON would be too slow, because this
 * function runs for every decision.
 */
export function callerKey({ tenant, user, apiKey, ip = '' }: NamedCaller): string {
  const root = tenant === undefined ? '' : bounded(tenant);
  const head = tenant === undefined ? '-' : root.length;
  if (user !== undefined) return `u${head} ${root}${bounded(user)}`;
  return apiKey !== undefined ? `k${head} ${root}${bounded(apiKey)}` : `i${head} ${root}${bounded(ip)}`;
}

function bounded(name: string): string {
  return name.length > MAX_NAME_BYTES ? keptName(name) : name;
}
