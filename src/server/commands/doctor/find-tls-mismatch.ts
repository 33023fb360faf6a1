import { connect as openPlain, type Socket } from 'node:net';
import { connect as openSecure } from 'node:tls';
import type { RedisUrl } from '../../../limiter/redis/connect.js';

/** A probe of a server that is there takes one round trip, or two. */
const WAIT_MS = 2000;

/** What a Redis that could not be connected to has to do with TLS, and what to do; undefined: nothing that could be found. */
export async function findTlsMismatch({ protocol, nodes }: RedisUrl): Promise<string | undefined> {
  const [node] = nodes;
  if (node === undefined) return undefined;
  if (protocol === 'rediss') {
    if (!(await answersPlainly(node))) return undefined;
    return `the Redis there speaks without TLS: begin its URL with redis://, or give that Redis a certificate and a tls-port`;
  }
  if (!(await speaksTls(node))) return undefined;
  if (protocol === 'redis') return 'the Redis there speaks TLS alone: begin its URL with rediss://';
  const client = protocol === 'redis-cluster' ? 'a Cluster' : 'a Redis with sentinels';
  return `what is there speaks TLS alone, which a URL of ${protocol}:// does not: open a port without TLS to Tollgate, or give createTollgate ${client}, made with ioredis and its option tls`;
}

/** @returns advice for a certificate that is not trusted; undefined: it is about something else */
export function adviceOnCertificate(error: unknown): string | undefined {
  const code = String((error as { code?: unknown } | undefined)?.code ?? '');
  if (/SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code)) {
    return 'name the file of the authority that signed it in NODE_EXTRA_CA_CERTS';
  }
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'use a name in the URL that its certificate has' : undefined;
}

/** Whatever it answers to a PING, that it wants a password too, shows that it understood. */
function answersPlainly({ host, port }: { host: string; port: number }): Promise<boolean> {
  const socket = openPlain({ host, port }, () => socket.write('PING\r\n'));
  return firstOf(socket, (said) => {
    socket.on('data', (bytes: Buffer) => said(bytes[0] === 0x2b || bytes[0] === 0x2d));
  });
}

/** Nothing is sent, so that it does not matter whom its certificate is for. An alert is TLS as well. */
function speaksTls({ host, port }: { host: string; port: number }): Promise<boolean> {
  const socket = openSecure({ host, port, rejectUnauthorized: false });
  return firstOf(socket, (said) => {
    socket.on('secureConnect', () => said(true));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => said(/^ERR_SSL_.*ALERT/.test(code ?? '')));
  });
}

async function firstOf(socket: Socket, listen: (said: (is: boolean) => void) => void): Promise<boolean> {
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
