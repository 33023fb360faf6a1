import { LRUCache } from 'lru-cache';
import { atMost } from '../../runtime/sized-cache.js';
import { kindOf } from './cache-key-of.js';
import type { CallerEntry } from './caller-entry.js';
import type { KnownChanges } from './create-known-changes.js';

interface KeptCallersOptions {
  changes: KnownChanges;
  /** Undefined: there is no such caller. */
  read(key: string): Promise<CallerEntry | undefined>;
  maxSubjects: number;
  /** So long an API key that does not exist is remembered. */
  freshMs: number;
}

interface KeptCallers {
  /** What is kept under the key, and may be used. */
  get(key: string): CallerEntry | undefined;
  /** Whether the key is known to be nobody's. */
  isUnknown(key: string): boolean;
  /** Whether something is kept under the key. */
  has(key: string): boolean;
  /** Reads a caller and keeps it. There is one look-up at a time for each key. */
  load(key: string): Promise<CallerEntry | undefined>;
  /** The same, and again if it was changed while it was being read. */
  loadCurrent(key: string): Promise<CallerEntry | undefined>;
  forgetUnknown(): void;
  /** Forgets all, and what is under way. */
  clear(): void;
}

/** What an entry takes with ids of some thirty letters. With longer ones fewer are kept. */
const USUAL_BYTES = 600;
/** Keys that do not exist are remembered apart, so that a flood of them drives out nobody. */
const MAX_UNKNOWN_KEYS = 10_000;

/** The callers that this process has read. */
export function createKeptCallers({ changes, read, maxSubjects, freshMs }: KeptCallersOptions): KeptCallers {
  const entries = new LRUCache<string, CallerEntry>({
    maxSize: maxSubjects * USUAL_BYTES,
    // None counts for less than the usual one: there are no more of them than `maxSubjects`.
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
          // A key created meanwhile must not be remembered as unknown.
          if (kindOf(key) === 'api_key' && changes.number === knownBefore) unknownKeys.set(key, true);
        }
        return entry;
      },
      (error: unknown) => {
        underWay.delete(key);
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
