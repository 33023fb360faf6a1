/** A clock that goes on from where it was when the one behind it is set back: else what waits would wait for so much longer. */
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
