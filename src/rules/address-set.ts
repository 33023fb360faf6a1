import ipaddr from 'ipaddr.js';

/** A set of addresses and CIDR blocks. */
export interface AddressSet {
  has(address: string): boolean;
}

/** A node of a binary trie over address bits; `end` marks the last bit of a block. */
interface Node {
  end: boolean;
  children: [Node | undefined, Node | undefined];
}

/**
 * Builds the set as one bit trie per family: a look-up takes at most as many steps as an address has bits, however many
 * blocks there are. IPv4-mapped IPv6 is IPv4. Blocks must be valid (`validate.ts` sees to it).
 */
export function createAddressSet(blocks: readonly string[]): AddressSet {
  const roots: Record<'ipv4' | 'ipv6', Node> = { ipv4: newNode(), ipv6: newNode() };
  for (const block of blocks) {
    const [address, bits] = ipaddr.isValidCIDR(block) ? ipaddr.parseCIDR(block) : [ipaddr.process(block), undefined];
    let node = roots[address.kind()];
    for (const bit of bitsOf(address.toByteArray(), bits)) {
      const next = node.children[bit] ?? newNode();
      node.children[bit] = next;
      node = next;
    }
    node.end = true;
  }
  return {
    has(counted) {
      // A counted IPv6 address is its /64: what a rule says of the network is what it says of the caller.
      const text = counted.split('/', 1)[0] ?? '';
      if (!ipaddr.isValid(text)) return false;
      const address = ipaddr.process(text);
      let node: Node | undefined = roots[address.kind()];
      if (node.end) return true;
      for (const bit of bitsOf(address.toByteArray(), undefined)) {
        node = node.children[bit];
        if (!node) return false;
        if (node.end) return true;
      }
      return false;
    },
  };
}

function newNode(): Node {
  return { end: false, children: [undefined, undefined] };
}

function* bitsOf(bytes: readonly number[], count: number = bytes.length * 8): Generator<0 | 1> {
  for (let index = 0; index < count; index++) {
    yield (((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) as 0 | 1;
  }
}
