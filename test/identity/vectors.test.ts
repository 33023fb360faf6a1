import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createAddressOf, type TrustedProxies } from '../../src/identity/address.js';

interface Vector {
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
const VECTORS = JSON.parse(
  readFileSync(new URL('../vectors/identity.json', import.meta.url), 'utf8'),
) as readonly Vector[];

it('has at least sixty spellings of addresses, headers and proxies', () => {
  expect(VECTORS.length).toBeGreaterThanOrEqual(60);
});

it.each(VECTORS)('A12: $why: $remote $headers is $expected', ({ trusted, remote, headers = {}, expected }) => {
  const socket = { remoteAddress: remote };
  const request = { headers, socket, connection: socket } as unknown as IncomingMessage;
  expect(createAddressOf(trusted)(request)).toBe(expected);
});
