import { addToList } from '../../runtime/add-to-list.js';

/** Values by name. */
interface NameMap<Value> {
  /** Returns each value whose names or prefixes include the name, once. */
  get(name: string): readonly Value[];
}

/** Prefix with its values. `shorter` is the longest other prefix that it begins with. */
interface Prefix<Value> {
  text: string;
  values: Value[];
  shorter: Prefix<Value> | undefined;
}

const NONE: readonly never[] = [];

/**
 * Builds a map from names, and from prefixes, which are written with a trailing `*`. A look-up
 * takes one hash and one binary search, independent of the number of names of a value.
 */
export function createNameMap<Value>(entries: Iterable<readonly [name: string, value: Value]>): NameMap<Value> {
  const exact = new Map<string, Value[]>();
  const byPrefix = new Map<string, Value[]>();
  for (const [name, value] of entries) {
    if (isPrefix(name)) addToList(byPrefix, name.slice(0, -1), value);
    else addToList(exact, name, value);
  }
  const prefixes = sortPrefixes(byPrefix);
  return {
    get(name) {
      const found = exact.get(name) ?? NONE;
      const longest = longestPrefixOf(name, prefixes);
      if (!longest) return found;
      const all = new Set(found);
      for (let one: Prefix<Value> | undefined = longest; one; one = one.shorter) {
        for (const value of one.values) all.add(value);
      }
      return [...all];
    },
  };
}

/** Returns whether a name of a rule stands for all names that begin with the text before its `*`. */
function isPrefix(name: string): boolean {
  return name.endsWith('*');
}

/** Returns whether `wide` matches every name that `narrow` matches. */
export function includesName(wide: string, narrow: string): boolean {
  return wide === narrow || (isPrefix(wide) && narrow.startsWith(wide.slice(0, -1)));
}

function sortPrefixes<Value>(byPrefix: ReadonlyMap<string, Value[]>): Prefix<Value>[] {
  const sorted: Prefix<Value>[] = [];
  const texts = [...byPrefix.keys()].sort((a, b) => (a < b ? -1 : 1));
  for (const text of texts) {
    let shorter = sorted.at(-1);
    while (shorter && !text.startsWith(shorter.text)) shorter = shorter.shorter;
    sorted.push({ text, values: byPrefix.get(text)!, shorter });
  }
  return sorted;
}

/**
 * Returns the longest stored prefix of the name. Every text that sorts between a prefix and the name
 * begins with the prefix. So the last text that does not sort after the name begins with all prefixes.
 */
function longestPrefixOf<Value>(name: string, prefixes: readonly Prefix<Value>[]): Prefix<Value> | undefined {
  let [low, high] = [0, prefixes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (prefixes[middle]!.text <= name) low = middle + 1;
    else high = middle;
  }
  let one = prefixes[low - 1];
  while (one && !name.startsWith(one.text)) one = one.shorter;
  return one;
}
