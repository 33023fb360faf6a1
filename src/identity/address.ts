import ipaddr from 'ipaddr.js';

/**
 * The form under which an address is counted: IPv4-mapped IPv6 is IPv4, and IPv6 counts by its /64, because one
 * customer usually holds all of it. Undefined for what is no address.
 */
export function countedAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const bare = text.split('%', 1)[0] ?? '';
  if (!ipaddr.isValid(bare)) return undefined;
  const address = ipaddr.process(bare);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
