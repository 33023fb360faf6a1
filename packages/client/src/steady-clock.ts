/**
 * Returns a clock that continues from its last value when the underlying clock is set back.
 * Otherwise, waits would be longer by the time by which the clock is set back.
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
