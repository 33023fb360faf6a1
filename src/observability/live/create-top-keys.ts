/** A key that was counted often, with the least and the most that it can have been. */
export interface TopKey<Value> {
  key: string;
  value: Value;
  atLeast: number;
  atMost: number;
}

interface TopKeys<Value> {
  /** Counts a key once. What a key stands for is made of `source` when it is first counted. */
  count<Source>(key: string, source: Source, makeValue: (source: Source) => Value): void;
  /** Those counted most, the most often first. */
  list(): TopKey<Value>[];
}

interface Entry<Value> {
  value: Value;
  count: number;
  /** How much of it may have been others'. */
  excess: number;
}

/**
 * Finds the keys that are counted most among any number of them, in bounded memory: the space-saving sketch of Metwally, Agrawal
 * and El Abbadi (2005). A key that there is no entry for takes over the one that was counted least, with its count. So no key
 * that makes more than 1 / `size` of all counts is ever missed, and none is said to have been counted less than it was.
 */
export function createTopKeys<Value>(size: number): TopKeys<Value> {
  const entries = new Map<string, Entry<Value>>();

  function takeOver(): number {
    let leastKey = '';
    let least = Number.POSITIVE_INFINITY;
    for (const [key, { count }] of entries) {
      if (count >= least) continue;
      least = count;
      leastKey = key;
    }
    entries.delete(leastKey);
    return least;
  }

  return {
    count(key, source, makeValue) {
      let entry = entries.get(key);
      if (entry === undefined) {
        const excess = entries.size < size ? 0 : takeOver();
        entry = { value: makeValue(source), count: excess, excess };
        entries.set(key, entry);
      }
      entry.count++;
    },

    list: () =>
      Array.from(entries, ([key, { value, count, excess }]) => ({
        key,
        value,
        atLeast: count - excess,
        atMost: count,
      })).sort((a, b) => b.atMost - a.atMost),
  };
}
