/**
 * Runs `work` for about `durationMs` with `count` calls in flight at any time. Returns the number
 * of calls and the elapsed time. `work` receives the number of the call, so that it can vary the
 * subject.
 */
export async function keepInFlight(
  count: number,
  durationMs: number,
  work: (call: number) => Promise<unknown>,
): Promise<{ done: number; elapsedMs: number }> {
  const start = performance.now();
  const end = start + durationMs;
  let call = 0;
  let done = 0;
  const lane = async () => {
    do {
      await work(call++);
      done++;
    } while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: count }, lane));
  return { done, elapsedMs: performance.now() - start };
}
