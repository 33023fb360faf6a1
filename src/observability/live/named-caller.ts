import { callerKey } from '../../model/subject.js';
import { keptName, MAX_NAME_BYTES } from '../../runtime/stored-text.js';

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

/** Returns a text that is unique for each caller, up to the length to which names are truncated. */
export function boundedCallerKey(caller: NamedCaller): string {
  return callerKey(caller, bounded);
}

function bounded(name: string): string {
  return name.length > MAX_NAME_BYTES ? keptName(name) : name;
}
