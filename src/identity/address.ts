import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** The proxies in front: how many, or the blocks that they are in. */
export type TrustedProxies = number | readonly string[];

/** What of an HTTP request addresses are read from: that of `node:http`, of Express, or of Fastify. */
export interface HttpRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Returns the address of a request's client; undefined when its socket no longer has one. */
export type AddressOf = (request: HttpRequest) => string | undefined;

/**
 * Reads addresses: the socket's, or, behind trusted proxies, the right-most in `X-Forwarded-For` that none of them put
 * its name to. What stands left of it was written by the caller, who may write anything, and is not looked at.
 *
 * @param formOf the form of the address, undefined for a text that is no address. @default that under which it is counted
 * @throws TypeError for a block that is none.
 */
export function createAddressOf(
  trusted: TrustedProxies,
  formOf: (text: string | undefined) => string | undefined = countedAddress,
): AddressOf {
  if (trusted === 0) return createSocketAddressOf(formOf);
  const isTrusted = createTrust(trusted);
  return (request) => {
    if (request.socket.remoteAddress === undefined) return undefined;
    const nearestFirst = proxyAddr.all(request as IncomingMessage, (address, distance) => isTrusted(address, distance));
    // A proxy that hands on what is no address is counted itself: rubbish must not be a way out of all counting.
    for (const text of nearestFirst.reverse()) {
      const address = formOf(withoutPort(text));
      if (address !== undefined) return address;
    }
    return undefined;
  };
}

/** That of the socket, whatever headers say. Behind a proxy that is the same each time. */
function createSocketAddressOf(formOf: (text: string | undefined) => string | undefined): AddressOf {
  let last: string | undefined;
  let form: string | undefined;
  return ({ socket: { remoteAddress } }) => {
    if (remoteAddress !== last) {
      last = remoteAddress;
      form = formOf(remoteAddress);
    }
    return form;
  };
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
 * The form under which an address is counted: IPv4-mapped IPv6 is IPv4, as is what NAT64 makes of it, a zone id says nothing of the caller, and IPv6
 * counts by its /64, because one customer usually holds all of it. Undefined for what is no address; the short and
 * octal spellings of IPv4 are none, so that one address has one spelling.
 */
export function countedAddress(text: string | undefined): string | undefined {
  const full = fullAddress(text);
  if (full === undefined || !full.includes(':')) return full;
  // ipaddr.js takes these for IPv4-mapped ones. They are IPv6, as in any other of their spellings (RFC 4291, 2.5.5.1).
  if (IPV4_COMPATIBLE.test(full)) return '::/64';
  return `${new ipaddr.IPv6([...ipaddr.IPv6.parse(full).parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/** Returns the whole address, in the same spelling as `countedAddress`. */
export function fullAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const bare = text.split('%', 1)[0] ?? '';
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined;
  if (IPV4_COMPATIBLE.test(bare)) return bare;
  const address = ipaddr.process(bare);
  return (address instanceof ipaddr.IPv6 ? embeddedIpv4(address) : undefined) ?? address.toString();
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
