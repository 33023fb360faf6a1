import { setImmediate as turn } from 'node:timers/promises';

/** Time for which work may hold the event loop before other work gets its turn, in milliseconds. */
const SLICE_MS = 10;

/**
 * Yields the items of a list, with turns of the event loop in between. Work on thousands of items
 * would delay requests if it ran without a break.
 */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let startedAtMs = performance.now();
  for (const item of items) {
    if (performance.now() - startedAtMs > SLICE_MS) {
      await turn();
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
