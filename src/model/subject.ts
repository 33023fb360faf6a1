import type { Scope, Subject } from './rule.js';

/**
 * The scopes whose counters belong to this subject and to nobody else: those of the narrowest name that it has. What a
 * user shares with the tenant, and everybody with everybody, is not among them.
 */
export function ownScopes({ user, apiKey, ip, tenant }: Subject): readonly Scope[] {
  // `USER` is the principal: the user, else the key, else the address.
  if (apiKey !== undefined) return ['USER', 'API_KEY'];
  if (user !== undefined) return ['USER'];
  if (ip !== undefined) return ['USER', 'IP'];
  return tenant !== undefined ? ['TENANT'] : [];
}
