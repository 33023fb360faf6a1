import { connect as openPlain, type Socket } from 'node:net';
import { connect as openSecure } from 'node:tls';
import type { RedisUrl } from '../../../limiter/redis/connect.js';

/** Timeout of a probe in milliseconds; a reachable server answers in one or two round trips. */
const WAIT_MS = 2000;

/**
 * Tests whether TLS is the reason why the connection to a Redis failed. Returns the reason with a
 * remedy; undefined if TLS is not the reason.
 */
export async function findTlsMismatch({ protocol, nodes }: RedisUrl): Promise<string | undefined> {
  const [node] = nodes;
  if (node === undefined) return undefined;
  if (protocol === 'rediss') {
    if (!(await answersPlainly(node))) return undefined;
    return `that Redis uses no TLS: use a URL with redis://, or give that Redis a certificate and a tls-port`;
  }
  if (!(await speaksTls(node))) return undefined;
  if (protocol === 'redis') return 'that Redis accepts only TLS: use a URL with rediss://';
  const client = protocol === 'redis-cluster' ? 'a Cluster' : 'a Redis with sentinels';
  return `the server accepts only TLS, which a URL with ${protocol}:// does not use: open a port without TLS, or give createTollgate ${client}, made with ioredis and its option tls`;
}

/**
 * Returns advice for a certificate that Node does not trust.
 * @returns undefined if the error has another reason
 */
export function adviceOnCertificate(error: unknown): string | undefined {
  const code = String((error as { code?: unknown } | undefined)?.code ?? '');
  if (/SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code)) {
    return 'set NODE_EXTRA_CA_CERTS to the file of the authority that signed it';
  }
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'use a host name of its certificate in the URL' : undefined;
}

/**
 * Returns whether a server answers a PING without TLS. Any reply of Redis counts, even the error
 * that a password is required.
 */
function answersPlainly({ host, port }: { host: string; port: number }): Promise<boolean> {
  const socket = openPlain({ host, port }, () => socket.write('PING\r\n'));
  return firstOf(socket, (report) => {
    socket.on('data', (bytes: Buffer) => report(bytes[0] === 0x2b || bytes[0] === 0x2d));
  });
}

/**
 * Returns whether a server speaks TLS. The probe sends no data, so it does not check the
 * certificate. A TLS alert also shows that the server speaks TLS.
 */
function speaksTls({ host, port }: { host: string; port: number }): Promise<boolean> {
  const socket = openSecure({ host, port, rejectUnauthorized: false });
  return firstOf(socket, (report) => {
    socket.on('secureConnect', () => report(true));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => report(/^ERR_SSL_.*ALERT/.test(code ?? '')));
  });
}

async function firstOf(socket: Socket, listen: (report: (is: boolean) => void) => void): Promise<boolean> {
  try {
    return await new Promise<boolean>((resolve) => {
      listen(resolve);
      socket.setTimeout(WAIT_MS, () => resolve(false));
      socket.on('error', () => resolve(false));
      socket.on('close', () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
