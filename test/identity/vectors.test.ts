import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createAddressOf } from '../../src/identity/address-of.js';
import { IDENTITY_VECTORS } from './vectors.js';

it('there are at least sixty vectors of addresses, headers and proxies', () => {
  expect(IDENTITY_VECTORS.length).toBeGreaterThanOrEqual(60);
});

it.each(IDENTITY_VECTORS)('$why: the socket $remote with $headers is counted as $expected', ({
  trusted,
  remote,
  headers = {},
  expected,
}) => {
  const socket = { remoteAddress: remote };
  const request = { headers, socket, connection: socket } as unknown as IncomingMessage;
  expect(createAddressOf(trusted)(request)).toBe(expected);
});
