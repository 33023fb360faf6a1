import type { IncomingMessage } from 'node:http';
import { createTrust, type TrustedProxies } from './address-of.js';

type Protocol = 'http' | 'https';

/** By what its caller has sent a request. */
export type ProtocolOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Protocol;

/**
 * Reads protocols: the socket's, or, where a trusted proxy has sent the request, the right-most in `X-Forwarded-Proto`. What stands left of it
 * may have been written by the caller.
 */
export function createProtocolOf(trusted: TrustedProxies): ProtocolOf {
  const isTrusted = createTrust(trusted);
  return ({ headers, socket }) => {
    const own = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
    if (socket.remoteAddress === undefined || !isTrusted(socket.remoteAddress, 0)) return own;
    const told = String(headers['x-forwarded-proto'] ?? '')
      .split(',')
      .at(-1)
      ?.trim()
      .toLowerCase();
    return told === 'http' || told === 'https' ? told : own;
  };
}
