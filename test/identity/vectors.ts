import { readFileSync } from 'node:fs';
import type { TrustedProxies } from '../../src/identity/address-of.js';

export interface IdentityVector {
  /** Reason of the expected result. */
  why: string;
  trusted: TrustedProxies;
  /** Address of the socket. */
  remote: string;
  headers?: Record<string, string>;
  /** Address or prefix under which the caller is counted. */
  expected: string;
}

/**
 * Vectors written from RFC 4007, 4291, 5952 and 7239, and from the headers that common proxies
 * send.
 */
export const IDENTITY_VECTORS = JSON.parse(
  readFileSync(new URL('../vectors/identity.json', import.meta.url), 'utf8'),
) as readonly IdentityVector[];
