/** A frequent key, with a lower and an upper bound of its count. */
export interface TopKey<Value> {
  key: string;
  value: Value;
  atLeast: number;
  atMost: number;
}

interface TopKeys<Value> {
  /**
   * Increments the count of a key. If the key has no entry yet, `makeValue` creates its value from
   * `source`.
   */
  count<Source>(key: string, source: Source, makeValue: (source: Source) => Value): void;
  /** Returns the entries with the highest counts, the highest first. */
  list(): TopKey<Value>[];
}

interface Entry<Value> {
  value: Value;
  count: number;
  /** Part of the count that may belong to other keys. */
  excess: number;
}

/**
 * Creates a counter that finds the most frequent of any number of keys in bounded memory. It is the
 * Space-Saving algorithm of Metwally, Agrawal and El Abbadi (2005). A key without an entry replaces
 * the entry with the lowest count and inherits this count. So a key with more than 1 / `size` of
 * all counts is never missed, and `atMost` is never below the real count.
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
