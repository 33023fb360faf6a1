import { keptName, MAX_NAME_BYTES } from '../../usage/record/stored-text.js';

/** Who asks, by the names that tell callers apart. */
export interface NamedCaller {
  tenant?: string | undefined;
  user?: string | undefined;
  apiKey?: string | undefined;
  ip?: string | undefined;
}

/** A caller with a user is that user, by whatever key they come. Names that are kept are of bounded length. */
export function namedCaller({ tenant, user, apiKey, ip }: NamedCaller): NamedCaller {
  const of = tenant === undefined ? undefined : keptName(tenant);
  if (user !== undefined) return { tenant: of, user: keptName(user) };
  return apiKey !== undefined ? { tenant: of, apiKey: keptName(apiKey) } : { tenant: of, ip: ip && keptName(ip) };
}

/**
 * One text for each caller. Callers choose names: the length of the first one says where it ends, whatever is in it. Made for
 * every decision, so that JSON would cost most of what counting does.
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
