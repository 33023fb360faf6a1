import type { IncomingHttpHeaders } from 'node:http';
import { requestError } from '../model/errors.js';
import { isProxyHeader } from './proxy-headers.js';

/**
 * Headers that describe one connection, not the message (RFC 9110, 7.6.1). The gateway sets lengths
 * and encodings itself.
 */
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
 * Headers that the gateway sets itself, that are only for Tollgate, or that would change the form
 * of the response.
 */
const OF_GATEWAY = new Set([
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
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

/**
 * Returns whether the gateway removes a header of a caller under all settings.
 * @param name in lower case
 */
export function isNeverForwarded(name: string): boolean {
  return kindOf(name) === 'NEVER';
}

type HeaderKind = 'NEVER' | 'PROXY' | 'CALLER';

/**
 * Maximum number of cached names. Callers send the same few names in each request. Names above the
 * maximum are classified again for each request, so that no caller can fill the memory.
 */
const MOST_KNOWN = 1000;
const knownKinds = new Map<string, HeaderKind>();

function kindOf(name: string): HeaderKind {
  const known = knownKinds.get(name);
  if (known !== undefined) return known;
  const meant = hyphenated(name);
  const isNever = OF_CONNECTION.has(meant) || OF_GATEWAY.has(meant);
  const kind = isNever ? 'NEVER' : isProxyHeader(meant) ? 'PROXY' : 'CALLER';
  if (knownKinds.size < MOST_KNOWN) knownKinds.set(name, kind);
  return kind;
}

/** Replaces underscores with hyphens, because some servers treat them alike. */
function hyphenated(name: string): string {
  return name.includes('_') ? name.replaceAll('_', '-') : name;
}

const OWN_KEY = /^bearer +tg_/i;

/**
 * Maximum size of the headers in bytes. Many servers read at most 16 KiB of headers, and the
 * gateway adds several headers.
 */
const MAX_BYTES = 15.5 * 1024;

/**
 * Checks the size of the headers.
 * @param rawHeaders names and values in the form of `IncomingMessage`
 * @throws GraphQLError if they are too large to be forwarded
 */
export function checkHeaderBytes(rawHeaders: readonly string[]): void {
  let bytes = 0;
  // Each name is followed by ": ", and each value by CRLF: two bytes each.
  for (let i = 0; i < rawHeaders.length; i++) bytes += rawHeaders[i]!.length + 2;
  if (bytes > MAX_BYTES) throw requestError('HEADERS_TOO_LARGE', `expected at most ${MAX_BYTES} bytes, got ${bytes}`);
}

export interface HeaderRules {
  /**
   * Allowed names in lower case. If undefined, all headers are allowed that the gateway does not
   * always remove.
   */
  allowed?: readonly string[] | undefined;
  denied?: readonly string[];
  /**
   * Headers of other proxies that are forwarded, even if `allowed` does not list them.
   */
  passed?: readonly string[];
}

/** Description of a request for the upstream, in addition to its body. */
export interface Forwarding {
  headers: IncomingHttpHeaders;
  /** Protocol of the caller's request to this gateway, or to the proxy in front of it. */
  protocol: 'http' | 'https';
  /** Value of `Accept`: the content types that the upstream may use for its response. */
  accept: string;
}

/**
 * Returns the headers for the upstream: headers of the caller, and the gateway's headers about the
 * caller. Headers that only a proxy may set are removed. Headers named in `Connection` are also
 * removed, because they apply only to the connection to the gateway.
 *
 * @param clientIp full address of the caller; undefined if the socket no longer has one
 */
export function headersForUpstream(
  { headers, protocol, accept }: Forwarding,
  clientIp: string | undefined,
  { allowed, denied = NO_NAMES, passed = NO_NAMES }: HeaderRules = {},
): Record<string, string> {
  const ofThisHop = namesIn(headers.connection);
  const sent: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    const kind = kindOf(name);
    if (value === undefined || kind === 'NEVER') continue;
    const meant = hyphenated(name);
    const isPassed = passed.includes(name);
    if (kind === 'PROXY' && !isPassed) continue;
    if (allowed !== undefined && !isPassed && !allowed.includes(name)) continue;
    if (denied.includes(name) || denied.includes(meant)) continue;
    if (ofThisHop.includes(name) || ofThisHop.includes(meant)) continue;
    // The upstream must never see a key that Tollgate issued.
    if (meant === 'authorization' && OWN_KEY.test(String(value))) continue;
    sent[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  sent['content-type'] = 'application/json';
  sent['accept'] = accept;
  // The gateway must parse the response to count its cost, so it must not be compressed.
  sent['accept-encoding'] = 'identity';
  if (clientIp !== undefined) {
    sent['x-forwarded-for'] = clientIp;
    sent['forwarded'] = `for=${clientIp.includes(':') ? `"[${clientIp}]"` : clientIp};proto=${protocol}`;
  }
  sent['x-forwarded-proto'] = protocol;
  // The requested host is not forwarded. Callers control `Host`, and an API might build links from
  // it.
  return sent;
}

/**
 * Headers of an upstream response that are not forwarded. They describe the upstream's own body,
 * connection or address, or the gateway sets them itself.
 */
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

/** Returns the headers of an upstream response that the caller receives. */
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
  // Fast path for the usual value. `Keep-Alive`, the header that it names, is always removed.
  if (connection === undefined || connection === 'keep-alive') return NO_NAMES;
  return String(connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}
