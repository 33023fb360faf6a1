import { setTimeout as rest, setImmediate as turn } from 'node:timers/promises';

/** Maximum time for which a task may block the event loop, in milliseconds. */
const SLICE_MS = 10;

/**
 * Yields the items of a list, and lets the event loop run other tasks in between. Otherwise the
 * processing of thousands of items would delay requests.
 * @param restMs pause after each 10 ms, in milliseconds. It limits the share of a processor that the
 * task uses. @default none
 */
export async function* inSlices<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  { restMs = 0 }: { restMs?: number | undefined } = {},
): AsyncGenerator<Item> {
  let startedAtMs = performance.now();
  for await (const item of items) {
    if (performance.now() - startedAtMs > SLICE_MS) {
      await (restMs > 0 ? rest(restMs, undefined, { ref: false }) : turn());
      startedAtMs = performance.now();
    }
    yield item;
  }
}

/** Splits a list into parts of at most `size` items. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
