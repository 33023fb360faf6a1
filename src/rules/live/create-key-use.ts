import { LRUCache } from 'lru-cache';
import type { Db } from '../../postgres/db.js';
import type { Clock } from '../../runtime/clock.js';
import { timerMs } from '../../runtime/schedule.js';
import { atMost } from '../../runtime/sized-cache.js';

interface KeyUseOptions {
  db: Db;
  /** Interval between writes, in milliseconds. @default 10000 */
  flushMs?: number;
  /** Clock, in epoch milliseconds. @default Date.now */
  now?: Clock;
}

/**
 * Records the last use of API keys, for administrators who look for unused keys. It is not precise
 * enough for accounting.
 */
interface KeyUse {
  /** Notes the use of the key with this prefix in memory. The next flush writes it. */
  seen(prefix: string): void;
  /**
   * Writes the uses since the last flush. Never rejects: after a failure, the next flush tries
   * again.
   */
  flush(): Promise<void>;
  /** Stops the timer and flushes once more. */
  close(): Promise<void>;
}

/** Minimum time between two writes for one key, across all processes, in milliseconds. */
const ONCE_MS = 60_000;
const MAX_KEYS = 100_000;
/** Maximum number of keys that wait for a flush. The use of further keys is not recorded. */
const MAX_WAITING = 10_000;

export function createKeyUse({ db, flushMs = 10_000, now = Date.now }: KeyUseOptions): KeyUse {
  const notedAtMs = new LRUCache<string, number>(atMost(MAX_KEYS));
  let waiting = new Map<string, number>();
  const timer = setInterval(() => void flush(), timerMs(flushMs));
  timer.unref();
  let flushing: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    flushing = flushing.then(write);
    return flushing;
  }

  async function write(): Promise<void> {
    if (waiting.size === 0) return;
    const batch = waiting;
    waiting = new Map();
    try {
      await markUsed(db, batch);
    } catch {
      for (const [prefix, atMs] of waiting) batch.set(prefix, atMs);
      waiting = batch;
    }
  }

  return {
    seen(prefix) {
      const nowMs = now();
      if ((notedAtMs.get(prefix) ?? Number.NEGATIVE_INFINITY) + ONCE_MS > nowMs) return;
      if (waiting.size >= MAX_WAITING && !waiting.has(prefix)) return;
      notedAtMs.set(prefix, nowMs);
      waiting.set(prefix, nowMs);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/**
 * Writes all uses in one statement. It skips keys that another instance has locked: that instance
 * notes the same use or revokes the key. So two instances that write many keys never wait for each
 * other.
 */
async function markUsed(db: Db, seen: ReadonlyMap<string, number>): Promise<void> {
  await db.query(
    `with seen as (select * from unnest($1::text[], $2::timestamptz[]) as s (prefix, at)),
       due as (
         select k.id, seen.at from api_keys k join seen using (prefix)
         where k.last_used_at is null or k.last_used_at <= seen.at - $3::integer * interval '1 millisecond'
         order by k.id for update of k skip locked
       )
     update api_keys set last_used_at = due.at from due where api_keys.id = due.id`,
    [[...seen.keys()], [...seen.values()].map((atMs) => new Date(atMs).toISOString()), ONCE_MS],
  );
}
