/** A cache bounded by what it keeps alive, in the form that Apollo Server asks for; the least recently used go first. */
export interface SizedCache<Value> {
  get(key: string): Promise<Value | undefined>;
  set(key: string, value: Value): Promise<void>;
  delete(key: string): Promise<boolean>;
  /** What is kept, in bytes of the heap, estimated. */
  readonly bytes: number;
  readonly count: number;
}

interface SizedCacheOptions<Value> {
  maxBytes: number;
  /** Of one value, estimated; the same each time. */
  bytesOf(value: Value): number;
  /** Called with what is kept no longer. */
  onRemoved?(value: Value): void;
}

const BYTES_PER_ENTRY = 300;

/** @throws TypeError for a bound that is none */
export function createSizedCache<Value>({ maxBytes, ...of }: SizedCacheOptions<Value>): SizedCache<Value> {
  if (!Number.isInteger(maxBytes) || maxBytes < 0) {
    throw new TypeError(`maxBytes: expected a whole number of bytes, got ${maxBytes}`);
  }
  const bytesOf = (value: Value) => BYTES_PER_ENTRY + of.bytesOf(value);
  /** In the order of their last use. */
  const values = new Map<string, Value>();
  let bytes = 0;

  function remove(key: string): boolean {
    const value = values.get(key);
    if (value === undefined) return false;
    values.delete(key);
    bytes -= bytesOf(value);
    of.onRemoved?.(value);
    return true;
  }

  return {
    async get(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    async set(key, value) {
      remove(key);
      values.set(key, value);
      bytes += bytesOf(value);
      // One that is larger than all the room there is evicts no other.
      if (bytesOf(value) > maxBytes) remove(key);
      for (const oldest of values.keys()) {
        if (bytes <= maxBytes) break;
        remove(oldest);
      }
    },
    async delete(key) {
      return remove(key);
    },
    get bytes() {
      return bytes;
    },
    get count() {
      return values.size;
    },
  };
}

/** The texts of persisted queries. */
export function createTextCache(maxBytes: number): SizedCache<string> {
  return createSizedCache<string>({ maxBytes, bytesOf: (text) => text.length * 2 });
}

/**
 * Options of an `LRUCache` that keeps so many entries at most, and grows as they come. Told by `max`, it makes room for all of
 * them when it is made: 20 ms and several MB for 100,000 that may never come.
 */
export function atMost(count: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 };
}
