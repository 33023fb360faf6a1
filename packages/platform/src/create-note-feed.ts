import type { NoteRecord } from './note-book.js';

/** Maximum number of notes that wait for one reader. Beyond it, the oldest one is dropped. */
const MAX_WAITING = 100;

/**
 * Returns the notes of which the listeners are notified from now on, of one place or of all. `return`
 * ends the feed at once, even if a reader waits for a note.
 */
export function createNoteFeed(
  listeners: Set<(note: NoteRecord) => void>,
  placeId: string | undefined,
): AsyncIterableIterator<NoteRecord> {
  const waiting: NoteRecord[] = [];
  let isOpen = true;
  let wake = (): void => {};

  function add(note: NoteRecord): void {
    if (placeId !== undefined && note.placeId !== placeId) return;
    waiting.push(note);
    if (waiting.length > MAX_WAITING) waiting.shift();
    wake();
  }

  listeners.add(add);
  return {
    async next() {
      while (isOpen && waiting.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const note = waiting.shift();
      return note === undefined ? { done: true, value: undefined } : { done: false, value: note };
    },
    async return() {
      isOpen = false;
      waiting.length = 0;
      listeners.delete(add);
      wake();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
