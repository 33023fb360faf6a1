import { tagsOf } from './cache-key-of.js';
import type { StoredCaller } from './read-callers.js';

/** What is kept of a caller, with when and as of which change it was read. */
export interface CallerEntry {
  caller: StoredCaller;
  asOf: number;
  readAtMs: number;
  /** What the caller hangs on: its key, its user's row, its tenant's row. */
  tags: readonly string[];
}

/** As `parseEntry` reads it. */
export function printEntry({ caller, asOf, readAtMs }: CallerEntry): string {
  return JSON.stringify({ caller, asOf, readAtMs });
}

/** What Redis holds was written by an instance of this version or another: only a whole entry is taken. */
export function parseEntry(text: string | undefined): CallerEntry | undefined {
  if (text === undefined) return undefined;
  try {
    const entry = JSON.parse(text) as Partial<CallerEntry>;
    const { caller, asOf, readAtMs } = entry;
    if (typeof asOf !== 'number' || typeof readAtMs !== 'number' || typeof caller?.subject !== 'object')
      return undefined;
    if (typeof caller.disabled !== 'boolean' || caller.keyExpiresAtMs === undefined || caller.override === undefined) {
      return undefined;
    }
    return { caller: caller as StoredCaller, asOf, readAtMs, tags: tagsOf(caller.subject) };
  } catch {
    return undefined;
  }
}
