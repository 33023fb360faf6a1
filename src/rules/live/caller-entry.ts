import { tagsOf } from './cache-key-of.js';
import type { StoredCaller } from './read-callers.js';

/** A cached caller, with the time of the read and the latest change known then. */
export interface CallerEntry {
  caller: StoredCaller;
  asOf: number;
  readAtMs: number;
  /** Tags of the rows that the entry depends on: the user's, the tenant's and the API key's. */
  tags: readonly string[];
}

/** Formats an entry for `parseEntry`. */
export function printEntry({ caller, asOf, readAtMs }: CallerEntry): string {
  return JSON.stringify({ caller, asOf, readAtMs });
}

/**
 * Parses an entry from Redis. Returns undefined if it is incomplete: an instance of another version
 * may have written it.
 */
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
    if (caller.subject.apiKey !== undefined && caller.subject.keyKind === undefined) return undefined;
    return { caller: caller as StoredCaller, asOf, readAtMs, tags: tagsOf(caller.subject) };
  } catch {
    return undefined;
  }
}
