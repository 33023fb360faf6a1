import { badInput } from './country-page.js';
import { createNoteFeed } from './create-note-feed.js';

export interface NoteRecord {
  id: string;
  text: string;
  placeId: string;
  savedAt: string;
}

/** Notes in memory. Their number is bounded, and they are lost when the process ends. */
export interface NoteBook {
  save(note: { placeId: string; text: string }): NoteRecord;
  /** Returns the latest notes, newest first. */
  latest(count: number): NoteRecord[];
  /** Returns the notes that are saved from now on, of one place or of all. */
  feed(placeId?: string): AsyncIterableIterator<NoteRecord>;
}

interface NoteBookOptions {
  /** Maximum number of notes. @default 1000 */
  capacity?: number;
  /** Returns the time in ms since the epoch. @default Date.now */
  now?: () => number;
}

const MAX_TEXT_LENGTH = 500;

export function createNoteBook({ capacity = 1000, now = Date.now }: NoteBookOptions = {}): NoteBook {
  const notes: NoteRecord[] = [];
  const listeners = new Set<(note: NoteRecord) => void>();
  let count = 0;
  return {
    save({ placeId, text }) {
      const trimmed = text.trim();
      if (trimmed.length === 0 || trimmed.length > MAX_TEXT_LENGTH) {
        throw badInput(`text: expected 1 to ${MAX_TEXT_LENGTH} characters, got ${trimmed.length}`);
      }
      count += 1;
      const note = { id: String(count), text: trimmed, placeId, savedAt: new Date(now()).toISOString() };
      notes.push(note);
      if (notes.length > capacity) notes.shift();
      for (const listener of listeners) listener(note);
      return note;
    },
    latest: (count) => (count === 0 ? [] : notes.slice(-count).reverse()),
    feed: (placeId) => createNoteFeed(listeners, placeId),
  };
}
