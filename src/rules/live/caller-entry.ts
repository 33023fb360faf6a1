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

/**
 * Version of the form of entries. Instances before version 2 write callers without billing anchors.
 */
const FORMAT = 2;

/** Formats an entry for `parseEntry`. */
export function printEntry({ caller, asOf, readAtMs }: CallerEntry): string {
  return JSON.stringify({ format: FORMAT, caller, asOf, readAtMs });
}

/**
 * Parses an entry from Redis. Returns undefined if it is incomplete: an instance of another version
 * may have written it.
 */
export function parseEntry(text: string | undefined): CallerEntry | undefined {
  if (text === undefined) return undefined;
  try {
    const entry = JSON.parse(text) as Partial<CallerEntry & { format: number }>;
    const { format = 1, caller, asOf, readAtMs } = entry;
    if (format < FORMAT) return undefined;
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
