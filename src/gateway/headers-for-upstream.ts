import type { IncomingHttpHeaders } from 'node:http';
import { requestError } from '../model/errors.js';
import { isProxyHeader } from './proxy-headers.js';

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

/** Headers that the gateway writes itself, or that are for Tollgate alone, or that would change how the API answers. */
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

/** Whether a header of a caller never reaches the API, whatever the settings say. @param name in lower case */
export function isNeverForwarded(name: string): boolean {
  return kindOf(name) === 'NEVER';
}

type HeaderKind = 'NEVER' | 'PROXY' | 'CALLER';

/** Callers send the same few names each time. Names beyond the first are looked at anew, so that no caller fills the memory. */
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

/** Some servers read underscores as hyphens. */
function hyphenated(name: string): string {
  return name.includes('_') ? name.replaceAll('_', '-') : name;
}

const OWN_KEY = /^bearer +tg_/i;

/** Many servers read 16 KiB of headers at most, and the gateway adds some of its own. */
const MAX_BYTES = 15.5 * 1024;

/**
 * @param rawHeaders names and values as `IncomingMessage` has them
 * @throws GraphQLError where they are too large to be forwarded
 */
export function checkHeaderBytes(rawHeaders: readonly string[]): void {
  let bytes = 0;
  // Two for the colon or the end of a line.
  for (let i = 0; i < rawHeaders.length; i++) bytes += rawHeaders[i]!.length + 2;
  if (bytes > MAX_BYTES) throw requestError('HEADERS_TOO_LARGE', `expected at most ${MAX_BYTES} bytes, got ${bytes}`);
}

export interface HeaderRules {
  /** In lower case. Undefined: all others. */
  allowed?: readonly string[] | undefined;
  denied?: readonly string[];
  /** Of other proxies, and forwarded all the same; also where `allowed` does not name them. */
  passed?: readonly string[];
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
 * Returns the headers for the upstream: those of the caller, without what only a proxy may say, and what the gateway says of
 * the caller. A name in `Connection` is left out, too: it was meant for this hop.
 *
 * @param clientIp the whole address of the caller; undefined where the socket no longer has one
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
