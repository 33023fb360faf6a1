import type { IncomingHttpHeaders } from 'node:http';

/** Speak of one connection, and not of what passes through it (RFC 9110, 7.6.1); lengths and encodings are made anew. */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  'content-length',
]);

/**
 * Never a caller's to say: who they are and whence (`forwarded`), which URL or method is meant in place of the one that was priced,
 * how the body is read, and what is for Tollgate alone.
 */
const NEVER_THE_CALLERS = new Set([
  'host',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'x-cluster-client-ip',
  'cf-connecting-ipv6',
  'fly-client-ip',
  'proxy-client-ip',
  'wl-proxy-client-ip',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'x-azure-socketip',
  'x-envoy-external-address',
  'x-original-forwarded-for',
  'x-originating-ip',
  'x-remote-addr',
  'x-remote-ip',
  // By which the one who ends TLS says whose certificate it has checked (RFC 9440).
  'client-cert',
  'client-cert-chain',
  // CGI makes it HTTP_PROXY.
  'proxy',
  'x-original-url',
  'x-original-uri',
  'x-envoy-original-path',
  'x-original-host',
  'x-original-method',
  'x-rewrite-url',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-api-key',
  'graphql-cost',
  'content-type',
  'content-encoding',
  'accept',
  'accept-encoding',
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
]);
const FORWARDED = /^x-forwarded-/;
const OWN_KEY = /^bearer +tg_/i;

export interface HeaderRules {
  /** In lower case. Undefined: all others. */
  allowed?: readonly string[] | undefined;
  denied?: readonly string[];
}

/** What the upstream is told about a request besides its body. */
export interface Forwarding {
  headers: IncomingHttpHeaders;
  /** By what its caller has sent it, to here or to the proxy in front. */
  protocol: 'http' | 'https';
  /** What the upstream is to answer with. */
  accept: string;
}

/**
 * Headers for the upstream: those of the caller that are theirs to say, and who they are as seen from here. A name in `Connection`
 * is taken out, too: it was meant for this hop. Names whose underscores some servers read as hyphens are taken for the same.
 *
 * @param clientIp the whole address of the caller; undefined where the socket no longer has one
 */
export function headersForUpstream(
  { headers, protocol, accept }: Forwarding,
  clientIp: string | undefined,
  { allowed, denied = [] }: HeaderRules = {},
): Record<string, string> {
  const dropped = new Set([...namesIn(headers.connection), ...denied]);
  const kept = allowed && new Set(allowed);
  const sent: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    const meant = name.replaceAll('_', '-');
    if (value === undefined || OF_CONNECTION.has(meant) || NEVER_THE_CALLERS.has(meant) || FORWARDED.test(meant))
      continue;
    if (dropped.has(name) || dropped.has(meant) || (kept && !kept.has(name))) continue;
    // A key that was made here is nothing that the upstream should ever see.
    if (meant === 'authorization' && OWN_KEY.test(String(value))) continue;
    sent[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  sent['content-type'] = 'application/json';
  sent['accept'] = accept;
  // What is counted has to be read.
  sent['accept-encoding'] = 'identity';
  if (clientIp !== undefined) {
    sent['x-forwarded-for'] = clientIp;
    sent['forwarded'] = `for=${clientIp.includes(':') ? `"[${clientIp}]"` : clientIp};proto=${protocol}`;
  }
  sent['x-forwarded-proto'] = protocol;
  // Not which host was asked: a caller writes into `Host` what they like, and an API that makes links of it would hand them on.
  return sent;
}

/** Made here for the body that is sent, or about the connection to the upstream. */
const NOT_OF_ANSWER = new Set([
  ...OF_CONNECTION,
  'content-encoding',
  'content-type',
  'etag',
  'accept-ranges',
  'content-range',
  'content-md5',
  'digest',
  'alt-svc',
  'strict-transport-security',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-expose-headers',
]);

/** Those of an answer of the upstream that its caller is given. */
export function headersForCaller(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): [name: string, value: string | string[]][] {
  const dropped = namesIn(headers['connection']);
  const kept: [string, string | string[]][] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !NOT_OF_ANSWER.has(name) && !dropped.includes(name)) kept.push([name, value]);
  }
  return kept;
}

const NO_NAMES: readonly string[] = [];

function namesIn(connection: string | string[] | undefined): readonly string[] {
  // What nearly all say; the one header that it names is dropped of itself.
  if (connection === undefined || connection === 'keep-alive') return NO_NAMES;
  return String(connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}
