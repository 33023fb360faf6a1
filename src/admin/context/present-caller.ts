import { UNIDENTIFIED } from '../../model/subject.js';
import type { UsageSubject } from '../../usage/query/read-usage.js';
import type { CallerKind, CallerType } from '../types/caller-type.js';

/** A caller with all known names. Both undefined and null mean "unknown". */
interface NamedCaller {
  user?: string | null | undefined;
  tenant?: string | null | undefined;
  apiKey?: string | null | undefined;
  ip?: string | null | undefined;
}

/** Builds the representation of a caller in the API from its names. */
export function presentCaller({
  user = null,
  tenant = null,
  apiKey = null,
  ip: address = null,
}: NamedCaller): CallerType {
  // The placeholder for callers without an address is not shown as an address.
  const ip = address === UNIDENTIFIED ? null : address;
  const kind = kindOf({ user, tenant, apiKey, ip: address });
  return { kind, name: { USER: user, TENANT: tenant, API_KEY: apiKey, ANONYMOUS: ip }[kind], user, tenant, apiKey, ip };
}

/**
 * Builds the representation of a recorded usage subject, which has one name, with or without a
 * tenant.
 */
export function presentUsageCaller({ kind, name, tenant }: UsageSubject): CallerType {
  switch (kind) {
    case 'USER':
      return presentCaller({ user: name, tenant });
    case 'API_KEY':
      return presentCaller({ apiKey: name, tenant });
    case 'IP':
      return presentCaller({ ip: name, tenant });
    case 'OTHER':
      return { ...presentCaller({ tenant }), kind: 'OTHER', name: null };
  }
}

function kindOf({ user, tenant, apiKey, ip }: Required<NamedCaller>): Exclude<CallerKind, 'OTHER'> {
  if (tenant !== null && user === null && apiKey === null && ip === null) return 'TENANT';
  if (user !== null) return 'USER';
  return apiKey === null ? 'ANONYMOUS' : 'API_KEY';
}
