/**
 * Returns a clock that continues from its last value when the underlying clock is set back.
 * Otherwise, setting the clock back by an hour would extend every wait by an hour.
 */
export function steadyClock(clock: () => number): () => number {
  let lastMs = Number.NEGATIVE_INFINITY;
  let addedMs = 0;
  return () => {
    const readMs = clock();
    if (readMs < lastMs) addedMs += lastMs - readMs;
    lastMs = readMs;
    return readMs + addedMs;
  };
}
