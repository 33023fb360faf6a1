/**
 * A stream of values for one reader. A slow reader receives only the latest value; earlier values
 * are discarded.
 */
export interface LatestOnly<Value> extends AsyncGenerator<Value, undefined, undefined> {
  put(value: Value): void;
  end(): void;
}

/**
 * Creates the stream.
 * @param onEnd called once, when the producer or the reader ends the stream
 */
export function createLatestOnly<Value>(onEnd: () => void): LatestOnly<Value> {
  let latest: { value: Value } | undefined;
  let ended = false;
  let wake = () => {};

  function end(): void {
    if (ended) return;
    ended = true;
    latest = undefined;
    onEnd();
    wake();
  }

  const values: LatestOnly<Value> = {
    put(value) {
      if (ended) return;
      latest = { value };
      wake();
    },
    end,
    async next() {
      while (!latest && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const found = latest;
      latest = undefined;
      return found ? { done: false, value: found.value } : { done: true, value: undefined };
    },
    async return() {
      end();
      return { done: true, value: undefined };
    },
    async throw(error) {
      end();
      throw error;
    },
    [Symbol.asyncIterator]: () => values,
  };
  return values;
}
