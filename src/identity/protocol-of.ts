import type { IncomingMessage } from 'node:http';
import { createTrust, type TrustedProxies } from './address-of.js';

type Protocol = 'http' | 'https';

/** Function that returns the protocol over which the caller sent a request. */
export type ProtocolOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Protocol;

/**
 * Creates a reader of protocols. It returns the socket's protocol. If a trusted proxy sent the
 * request, it returns the right-most value in `X-Forwarded-Proto` instead. The caller may have
 * written the values to the left of it.
 */
export function createProtocolOf(trusted: TrustedProxies): ProtocolOf {
  const isTrusted = createTrust(trusted);
  return ({ headers, socket }) => {
    const own = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
    if (socket.remoteAddress === undefined || !isTrusted(socket.remoteAddress, 0)) return own;
    const forwarded = String(headers['x-forwarded-proto'] ?? '')
      .split(',')
      .at(-1)
      ?.trim()
      .toLowerCase();
    return forwarded === 'http' || forwarded === 'https' ? forwarded : own;
  };
}
