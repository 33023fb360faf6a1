import { expect, test } from 'vitest';
import { createNoteBook } from '../../packages/platform/src/note-book.js';

test('a note book keeps the latest notes up to its capacity, newest first, and never assigns an id twice', () => {
  const notes = createNoteBook({ capacity: 3, now: () => Date.UTC(2024, 0, 2) });
  for (const text of ['one', 'two', 'three', 'four']) notes.save({ placeId: 'SWE', text });
  expect(notes.latest(10)).toEqual(
    ['four', 'three', 'two'].map((text, index) => ({
      id: String(4 - index),
      text,
      placeId: 'SWE',
      savedAt: '2024-01-02T00:00:00.000Z',
    })),
  );
});

test.each([
  ['', 0],
  ['   ', 0],
  ['x'.repeat(501), 501],
])('a note book rejects an empty or too long text', (text, length) => {
  expect(() => createNoteBook().save({ placeId: 'SWE', text })).toThrow(
    `text: expected 1 to 500 characters, got ${length}`,
  );
});
