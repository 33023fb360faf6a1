import { LRUCache } from 'lru-cache';
import { atMost } from '../../runtime/sized-cache.js';
import { kindOf } from './cache-key-of.js';
import type { CallerEntry } from './caller-entry.js';
import type { KnownChanges } from './create-known-changes.js';

interface KeptCallersOptions {
  changes: KnownChanges;
  /** Reads a caller. Returns undefined if there is none. */
  read(key: string): Promise<CallerEntry | undefined>;
  maxSubjects: number;
  /** Time that an unknown, revoked or expired API key is remembered, in milliseconds. */
  freshMs: number;
}

interface KeptCallers {
  /** Returns the entry under the key if it may still be used. */
  get(key: string): CallerEntry | undefined;
  /** Whether a recent look-up found no valid API key under the key. */
  isUnknown(key: string): boolean;
  /** Whether the key has an entry, usable or not, or is remembered as unknown. */
  has(key: string): boolean;
  /** Reads a caller and keeps it. Concurrent calls for one key share one look-up. */
  load(key: string): Promise<CallerEntry | undefined>;
  /**
   * Loads a caller, and reads again if the caller was changed during the read.
   * @throws Error after five reads
   */
  loadCurrent(key: string): Promise<CallerEntry | undefined>;
  forgetUnknown(): void;
  /** Discards all entries and all reads in flight. */
  clear(): void;
}

/**
 * Size of an entry whose ids have about thirty characters, in bytes. With longer ids, fewer entries
 * are kept.
 */
const USUAL_BYTES = 600;
/**
 * Maximum number of unknown API keys. They are stored separately from callers, so that a flood of
 * unknown keys evicts no caller.
 */
const MAX_UNKNOWN_KEYS = 10_000;

/** Creates the memory of the callers that this process has read. */
export function createKeptCallers({ changes, read, maxSubjects, freshMs }: KeptCallersOptions): KeptCallers {
  const entries = new LRUCache<string, CallerEntry>({
    maxSize: maxSubjects * USUAL_BYTES,
    // Each entry counts at least the usual size, so that there are never more than `maxSubjects`.
    sizeCalculation: ({ tags }, key) =>
      Math.max(
        USUAL_BYTES,
        tags.reduce((sum, tag) => sum + tag.length * 2, 300 + key.length * 2),
      ),
  });
  const unknownKeys = new LRUCache<string, true>({ ...atMost(MAX_UNKNOWN_KEYS), ttl: freshMs });
  const underWay = new Map<string, Promise<CallerEntry | undefined>>();

  function load(key: string): Promise<CallerEntry | undefined> {
    const already = underWay.get(key);
    if (already) return already;
    const knownBefore = changes.number;
    const historiesBefore = changes.histories;
    const loading = read(key).then(
      (entry) => {
        if (changes.histories !== historiesBefore) return entry;
        underWay.delete(key);
        if (entry) entries.set(key, entry);
        else {
          entries.delete(key);
          // A key that was created during the read must not be remembered as unknown.
          if (kindOf(key) === 'api_key' && changes.number === knownBefore) unknownKeys.set(key, true);
        }
        return entry;
      },
      (error: unknown) => {
        // After `clear`, a newer look-up of this key may be stored here, and must not be deleted.
        if (underWay.get(key) === loading) underWay.delete(key);
        throw error;
      },
    );
    underWay.set(key, loading);
    return loading;
  }

  return {
    get(key) {
      const kept = entries.get(key);
      return kept && changes.isCurrent(kept) ? kept : undefined;
    },
    isUnknown: (key) => unknownKeys.get(key) === true,
    has: (key) => entries.has(key) || unknownKeys.has(key),
    load,
    async loadCurrent(key) {
      for (let attempt = 0; attempt < 5; attempt++) {
        const entry = await load(key);
        if (!entry || changes.isCurrent(entry)) return entry;
      }
      throw new Error('The subject changes faster than it can be read');
    },
    forgetUnknown: () => unknownKeys.clear(),
    clear() {
      entries.clear();
      unknownKeys.clear();
      underWay.clear();
    },
  };
}
