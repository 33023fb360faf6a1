import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { Logger } from '../model/logger.js';

/** Proxies in front of the server: their number, or their address blocks. */
export type TrustedProxies = number | readonly string[];

/** The part of an HTTP request of `node:http`, Express or Fastify from which addresses are read. */
export interface HttpRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Function that returns the client address of a request; undefined if the socket no longer has an
 * address.
 */
export type AddressOf = (request: HttpRequest) => string | undefined;

/** Number of leading bits by which IPv6 callers are distinguished. */
export type Ipv6Prefix = 48 | 56 | 64 | 128;

export const IPV6_PREFIXES: readonly Ipv6Prefix[] = [48, 56, 64, 128];

interface AddressOptions {
  /** Number of leading bits of an IPv6 address that count. @default 64 */
  ipv6Prefix?: Ipv6Prefix | undefined;
  /**
   * Called once if no proxy is trusted, after 100 requests with `X-Forwarded-For`. Receives the
   * socket address of the last of these requests.
   * @default none
   */
  onUntrusted?: ((address: string | undefined) => void) | undefined;
}

/**
 * Creates a reader of client addresses. Without trusted proxies, it returns the socket's address.
 * Behind trusted proxies, it returns the right-most address in `X-Forwarded-For` that does not
 * belong to a trusted proxy. It ignores everything to the left, because the caller may have written
 * it.
 * @throws TypeError for an invalid address block.
 */
export function createAddressOf(trusted: TrustedProxies, options: AddressOptions = {}): AddressOf {
  if (trusted === 0) return createSocketAddressOf(options);
  const isTrusted = createTrust(trusted);
  const { ipv6Prefix } = options;
  return (request) => {
    if (request.socket.remoteAddress === undefined) return undefined;
    const nearestFirst = proxyAddr.all(request as IncomingMessage, (address, distance) => isTrusted(address, distance));
    // If a proxy forwards an entry that is not an address, the caller is counted under the address
    // of the proxy. Otherwise callers could avoid all address limits with an invalid entry.
    for (const text of nearestFirst.reverse()) {
      const address = countedAddress(withoutPort(text), ipv6Prefix);
      if (address !== undefined) return address;
    }
    return undefined;
  };
}

/**
 * Number of requests with `X-Forwarded-For` before the warning. A single such request does not
 * prove that there is a proxy, because any client can send the header.
 */
const UNTRUSTED_REQUESTS = 100;

/**
 * Creates a reader of socket addresses, which ignores the headers. It caches the last address,
 * because behind a proxy the address is always the same.
 */
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
 * Returns a function that warns the operator about a proxy that is not trusted.
 * @param setting name of the setting in the warning
 */
export function warnOfProxy(logger: Pick<Logger, 'warn'>, setting: string): (address: string | undefined) => void {
  return (address) =>
    logger.warn(
      `${UNTRUSTED_REQUESTS} requests had X-Forwarded-For, the last from ${address}, but no proxy is trusted: all callers behind a proxy count as one address. If the proxy is yours, set ${setting} to the number of proxies in front, or to their addresses`,
    );
}

/**
 * Creates a function that returns whether an address belongs to a trusted proxy. The distance is
 * the number of hops; 0 is the other end of the socket.
 * @throws TypeError for an invalid address block.
 */
export function createTrust(trusted: TrustedProxies): (address: string, distance: number) => boolean {
  if (typeof trusted === 'number') return (_address, distance) => distance < trusted;
  const isListed = proxyAddr.compile([...trusted]);
  return (address, distance) => isListed(withoutPort(address), distance);
}

const IPV4_COMPATIBLE = /^::\d+(?:\.\d+){3}$/;

/**
 * Returns the form under which an address is counted; undefined for a text that is not an address.
 * - IPv4-mapped IPv6 addresses and addresses that NAT64 translated count as IPv4.
 * - A zone id is removed, because it does not identify the caller.
 * - IPv6 counts by its prefix, /64 by default, because a customer usually has a complete /64.
 * - Short and octal spellings of IPv4 are not accepted, so that an address has one spelling.
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

/**
 * Parses an IPv4-compatible IPv6 address. ipaddr.js reads this spelling as IPv4-mapped, but it is
 * IPv6, like every other spelling of the address (RFC 4291, 2.5.5.1).
 */
function compatibleOf(text: string): ipaddr.IPv6 {
  return new ipaddr.IPv6(ipaddr.IPv6.parse(text).parts.map((part, index) => (index === 5 ? 0 : part)));
}

/**
 * Returns the IPv4 address in a NAT64 address. 64:ff9b::/96 contains all IPv4 addresses (RFC 6052).
 * Without this conversion, all callers behind NAT64 would share one /64.
 */
function embeddedIpv4({ parts }: ipaddr.IPv6): string | undefined {
  const [a, b, c, d, e, f, high = 0, low = 0] = parts;
  if (a !== 0x64 || b !== 0xff9b || c || d || e || f) return undefined;
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** Removes the port that some proxies add: `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^\[([^\]]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(text.trim()) ?? [];
  return bracketed ?? plain ?? text.trim();
}
