import DataLoader from 'dataloader';
import type { Connections } from '../../postgres/db.js';
import type { Clock } from '../../runtime/clock.js';
import { cacheKeyOfHash, hashOf, kindOf, subjectKeyOf, tagsOf } from './cache-key-of.js';
import { type CallerEntry, parseEntry, printEntry } from './caller-entry.js';
import type { KnownChanges } from './create-known-changes.js';
import { readCallers, readHolders, type StoredCaller } from './read-callers.js';
import type { SharedCache } from './shared-cache.js';

/**
 * Source of a cached value: this process, the shared Redis or PostgreSQL. `none` means that no
 * source returned it in time.
 */
export type CacheLevel = 'memory' | 'redis' | 'postgres' | 'none';

interface CallerReaderOptions {
  db: Connections;
  shared: SharedCache | undefined;
  changes: KnownChanges;
  /** Maximum age of a usable copy in Redis, in milliseconds. */
  freshMs: number;
  /** Lifetime of a copy in Redis, in milliseconds. */
  staleMs: number;
  onLookup(kind: 'api_key' | 'subject', level: CacheLevel): void;
  now: Clock;
}

interface CallerReader {
  /**
   * Reads a caller. Concurrent calls share one batch. Returns undefined if there is no such caller.
   */
  read(key: string): Promise<CallerEntry | undefined>;
}

const MAX_BATCH = 500;

/** Creates a reader that reads callers from Redis, and those missing there from PostgreSQL. */
export function createCallerReader(options: CallerReaderOptions): CallerReader {
  const { db, shared, changes, freshMs, staleMs, onLookup, now } = options;
  const loader = new DataLoader<string, CallerEntry | undefined>(readBatch, { cache: false, maxBatchSize: MAX_BATCH });

  async function readBatch(keys: readonly string[]): Promise<(CallerEntry | undefined | Error)[]> {
    const found = new Map<string, CallerEntry>();
    if (shared) {
      await Promise.all(
        keys.map(async (key) => {
          const entry = parseEntry(await shared.get(key));
          // After the database has returned to an earlier state, new changes reuse the numbers of
          // lost ones. A copy that includes a lost change could then look current.
          const isKnown = changes.histories === 0 || (entry?.asOf ?? 0) <= changes.number;
          if (entry && isKnown && changes.isCurrent(entry) && entry.readAtMs + freshMs > now()) found.set(key, entry);
        }),
      );
    }
    for (const key of found.keys()) onLookup(kindOf(key), 'redis');
    const missing = keys.filter((key) => !found.has(key));
    if (missing.length > 0) {
      const asOf = changes.number;
      for (const [key, caller] of await readStored(db, missing)) {
        const entry: CallerEntry = { caller, asOf, readAtMs: now(), tags: tagsOf(caller.subject) };
        found.set(key, entry);
        // The write is not awaited: callers must not wait for Redis.
        void shared?.set(key, printEntry(entry), staleMs);
      }
      for (const key of missing) onLookup(kindOf(key), 'postgres');
    }
    return keys.map((key) => found.get(key));
  }

  return { read: (key) => loader.load(key) };
}

async function readStored(db: Connections, keys: readonly string[]): Promise<[string, StoredCaller][]> {
  const hashes = keys.filter((key) => kindOf(key) === 'api_key').map(hashOf);
  const subjects = keys.filter((key) => kindOf(key) === 'subject');
  const [holders, callers] = await Promise.all([
    hashes.length > 0 ? readHolders(db, hashes) : new Map<string, StoredCaller>(),
    subjects.length > 0 ? readCallers(db, subjects.map(subjectKeyOf)) : [],
  ]);
  return [
    ...[...holders].map(([hash, caller]): [string, StoredCaller] => [cacheKeyOfHash(hash), caller]),
    ...callers.map((caller, index): [string, StoredCaller] => [subjects[index]!, caller]),
  ];
}
