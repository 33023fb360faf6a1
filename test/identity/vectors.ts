import { readFileSync } from 'node:fs';
import type { TrustedProxies } from '../../src/identity/address-of.js';

export interface IdentityVector {
  /** Why it has to be so. */
  why: string;
  trusted: TrustedProxies;
  /** The address of the socket. */
  remote: string;
  headers?: Record<string, string>;
  /** The form under which the caller is counted. */
  expected: string;
}

/** Written from RFC 4007, 4291, 5952 and 7239 and from what the proxies of the field send. */
export const IDENTITY_VECTORS = JSON.parse(
  readFileSync(new URL('../vectors/identity.json', import.meta.url), 'utf8'),
) as readonly IdentityVector[];
