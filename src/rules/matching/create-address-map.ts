import ipaddr from 'ipaddr.js';

/** Values by address block. */
interface AddressMap<Value> {
  /**
   * Returns each value with a block that contains the address, once. Returns none for a text that
   * is not an address.
   */
  get(address: string): readonly Value[];
}

/** A node of a binary trie over address bits. `values` belong to the block that ends here. */
interface Node<Value> {
  values: Value[] | undefined;
  children: [Node<Value> | undefined, Node<Value> | undefined];
}

/**
 * Builds one bit trie per address family. A look-up takes at most as many steps as an address has
 * bits, independent of the number of blocks. IPv4-mapped IPv6 addresses count as IPv4. Blocks must
 * be valid, which `rule-input.ts` checks.
 */
export function createAddressMap<Value>(entries: Iterable<readonly [block: string, value: Value]>): AddressMap<Value> {
  const roots: Record<'ipv4' | 'ipv6', Node<Value>> = { ipv4: newNode(), ipv6: newNode() };
  let isEmpty = true;
  for (const [block, value] of entries) {
    isEmpty = false;
    const [address, bits] = ipaddr.isValidCIDR(block) ? ipaddr.parseCIDR(block) : [ipaddr.process(block), undefined];
    const bytes = address.toByteArray();
    let node = roots[address.kind()];
    for (let index = 0; index < (bits ?? bytes.length * 8); index++) {
      const bit = bitAt(bytes, index);
      let next = node.children[bit];
      if (!next) {
        next = newNode();
        node.children[bit] = next;
      }
      node = next;
    }
    node.values ??= [];
    node.values.push(value);
  }
  return {
    get(counted) {
      if (isEmpty) return [];
      // IPv6 callers are counted by network, so `counted` may be a network such as `2001:db8::/64`.
      // Blocks that contain its first address apply.
      const slash = counted.indexOf('/');
      const text = slash < 0 ? counted : counted.slice(0, slash);
      if (!ipaddr.isValid(text)) return [];
      const address = ipaddr.process(text);
      const bytes = address.toByteArray();
      let found: readonly Value[] = [];
      let node: Node<Value> | undefined = roots[address.kind()];
      for (let index = 0; node; index++) {
        // Blocks of one value may overlap.
        if (node.values) found = found.length === 0 ? node.values : [...new Set([...found, ...node.values])];
        node = index < bytes.length * 8 ? node.children[bitAt(bytes, index)] : undefined;
      }
      return found;
    },
  };
}

function newNode<Value>(): Node<Value> {
  return { values: undefined, children: [undefined, undefined] };
}

function bitAt(bytes: readonly number[], index: number): 0 | 1 {
  return (((bytes[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) as 0 | 1;
}
