import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { Logger } from '../model/logger.js';

/** The proxies in front: how many, or the blocks that they are in. */
export type TrustedProxies = number | readonly string[];

/** What of an HTTP request addresses are read from: that of `node:http`, of Express, or of Fastify. */
export interface HttpRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Returns the address of a request's client; undefined when its socket no longer has one. */
export type AddressOf = (request: HttpRequest) => string | undefined;

/** Bits by which IPv6 callers are told apart. */
export type Ipv6Prefix = 48 | 56 | 64 | 128;

export const IPV6_PREFIXES: readonly Ipv6Prefix[] = [48, 56, 64, 128];

interface AddressOptions {
  /** Bits of an IPv6 address that are counted. @default 64 */
  ipv6Prefix?: Ipv6Prefix | undefined;
  /**
   * Called once, when 100 requests have brought `X-Forwarded-For` and no proxy is trusted, with the address of the socket
   * of the last one. @default nothing is called
   */
  onUntrusted?: ((address: string | undefined) => void) | undefined;
}

/**
 * Reads addresses: the socket's, or, behind trusted proxies, the right-most in `X-Forwarded-For` that none of them put
 * its name to. What stands left of it was written by the caller, who may write anything, and is not looked at.
 *
 * @throws TypeError for a block that is none.
 */
export function createAddressOf(trusted: TrustedProxies, options: AddressOptions = {}): AddressOf {
  if (trusted === 0) return createSocketAddressOf(options);
  const isTrusted = createTrust(trusted);
  const { ipv6Prefix } = options;
  return (request) => {
    if (request.socket.remoteAddress === undefined) return undefined;
    const nearestFirst = proxyAddr.all(request as IncomingMessage, (address, distance) => isTrusted(address, distance));
    // A proxy that hands on what is no address is counted itself: rubbish must not be a way out of all counting.
    for (const text of nearestFirst.reverse()) {
      const address = countedAddress(withoutPort(text), ipv6Prefix);
      if (address !== undefined) return address;
    }
    return undefined;
  };
}

/** Requests with `X-Forwarded-For`, which a stranger may send as well, before the operator is told. */
const UNTRUSTED_REQUESTS = 100;

/** Reads the address of the socket, whatever headers say. Behind a proxy that is the same each time. */
function createSocketAddressOf({ ipv6Prefix, onUntrusted = () => {} }: AddressOptions): AddressOf {
  let last: string | undefined;
  let counted: string | undefined;
  let untrusted = 0;
  return ({ headers, socket: { remoteAddress } }) => {
    if (remoteAddress !== last) {
      last = remoteAddress;
      counted = countedAddress(remoteAddress, ipv6Prefix);
    }
    if (untrusted < UNTRUSTED_REQUESTS && headers['x-forwarded-for'] !== undefined) {
      untrusted++;
      if (untrusted === UNTRUSTED_REQUESTS) onUntrusted(remoteAddress);
    }
    return counted;
  };
}

/**
 * Returns what warns the operator of a proxy that is not trusted.
 *
 * @param setting that names it
 */
export function warnOfProxy(logger: Pick<Logger, 'warn'>, setting: string): (address: string | undefined) => void {
  return (address) =>
    logger.warn(
      `${UNTRUSTED_REQUESTS} requests brought X-Forwarded-For, the last from ${address}, and no proxy is trusted: all callers behind a proxy count as one address. If it is your proxy, set ${setting} to the number of proxies in front, or to their addresses`,
    );
}

/**
 * Whether an address is that of a trusted proxy, so many hops away: 0 is the socket's own.
 *
 * @throws TypeError for a block that is none.
 */
export function createTrust(trusted: TrustedProxies): (address: string, distance: number) => boolean {
  if (typeof trusted === 'number') return (_address, distance) => distance < trusted;
  const isListed = proxyAddr.compile([...trusted]);
  return (address, distance) => isListed(withoutPort(address), distance);
}

const IPV4_COMPATIBLE = /^::\d+(?:\.\d+){3}$/;

/**
 * Returns the form under which an address is counted. IPv4-mapped IPv6 is IPv4, as is what NAT64 makes of it, and a zone
 * id says nothing of the caller. IPv6 counts by its prefix, by default /64, because one customer usually holds all of
 * it. Undefined for what is no address; the short and octal spellings of IPv4 are none, so that one address has one
 * spelling.
 */
export function countedAddress(text: string | undefined, ipv6Prefix: Ipv6Prefix = 64): string | undefined {
  if (text === undefined) return undefined;
  const bare = text.split('%', 1)[0] ?? '';
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined;
  const address = IPV4_COMPATIBLE.test(bare) ? compatibleOf(bare) : ipaddr.process(bare);
  const translated = address instanceof ipaddr.IPv6 ? embeddedIpv4(address) : undefined;
  if (translated !== undefined) return translated;
  if (address instanceof ipaddr.IPv4) return address.toString();
  if (ipv6Prefix === 128) return address.toString();
  const kept = address.parts.map((part, index) => {
    const bits = Math.min(16, Math.max(0, ipv6Prefix - 16 * index));
    return part & (0xffff << (16 - bits));
  });
  return `${new ipaddr.IPv6(kept).toString()}/${ipv6Prefix}`;
}

/** ipaddr.js reads these as IPv4-mapped. They are IPv6, as in any other of their spellings (RFC 4291, 2.5.5.1). */
function compatibleOf(text: string): ipaddr.IPv6 {
  return new ipaddr.IPv6(ipaddr.IPv6.parse(text).parts.map((part, index) => (index === 5 ? 0 : part)));
}

/** What a NAT64 in front has made IPv6 of: 64:ff9b::/96 holds every IPv4 address there is (RFC 6052), one /64 for all. */
function embeddedIpv4({ parts }: ipaddr.IPv6): string | undefined {
  const [a, b, c, d, e, f, high = 0, low = 0] = parts;
  if (a !== 0x64 || b !== 0xff9b || c || d || e || f) return undefined;
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^\[([^\]]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(text.trim()) ?? [];
  return bracketed ?? plain ?? text.trim();
}
