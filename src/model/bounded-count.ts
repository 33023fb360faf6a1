/**
 * Options of an `LRUCache` that keeps so many entries at most, and grows as they come. Told by `max`, it makes room for all of
 * them when it is made: 20 ms and several MB for 100,000 that may never come.
 */
export function atMost(count: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 };
}
