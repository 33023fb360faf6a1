import { setImmediate as turn } from 'node:timers/promises';

/** How long work may hold the event loop before other work gets its turn. */
const SLICE_MS = 10;

/**
 * Yields the items of a list, and lets the event loop turn in between: for work on thousands of items, which would hold up
 * requests if it were done in one go.
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

/** Cuts a list into parts of at most `size` items. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
