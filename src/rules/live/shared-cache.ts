import type { RedisClient } from '../../model/redis-client.js';
import { withTimeout } from '../../runtime/with-timeout.js';

/**
 * Strings in Redis that all instances share and that expire. No call rejects: after a failure or a
 * timeout, the value is undefined.
 */
export interface SharedCache {
  get(key: string, deadlineMs?: number): Promise<string | undefined>;
  set(key: string, text: string, ttlMs: number): Promise<void>;
}

/**
 * Default timeout of a command, in milliseconds. A longer wait is pointless, because the database
 * has the value too.
 */
const DEADLINE_MS = 100;

/**
 * Time without commands after a timeout, in milliseconds. Without this pause, loading a change
 * would wait for a timeout at each of its commands.
 */
const SILENT_MS = 1000;

/**
 * Creates the cache. `scope` returns the id of the database. Every key contains it, because two
 * platforms may share a Redis. `onForeign` is called when the value of a key is not a string. The
 * value counts as missing, and the next write overwrites it.
 */
export function createSharedCache(
  redis: RedisClient,
  scope: () => string | undefined,
  onForeign: () => void = () => {},
): SharedCache {
  let silentUntilMs = 0;

  async function orNothing<T>(command: () => Promise<T>, deadlineMs: number): Promise<T | undefined> {
    const startedMs = performance.now();
    if (startedMs < silentUntilMs) return undefined;
    return withTimeout(command().catch(nothingOf), deadlineMs, () => {
      const nowMs = performance.now();
      // A timer that fires late shows that this process was blocked. It does not show that Redis is
      // slow.
      if (nowMs - startedMs < 1.5 * deadlineMs) silentUntilMs = nowMs + SILENT_MS;
      return undefined;
    });
  }

  function nothingOf(error: unknown): undefined {
    if (error instanceof Error && error.message.startsWith('WRONGTYPE')) onForeign();
  }

  const nameOf = (key: string) => {
    const of = scope();
    return of === undefined ? undefined : `tg:cache:${of}:${key}`;
  };
  return {
    async get(key, deadlineMs = DEADLINE_MS) {
      const name = nameOf(key);
      if (name === undefined) return undefined;
      return (await orNothing(() => redis.get(name), deadlineMs)) ?? undefined;
    },
    async set(key, text, ttlMs) {
      const name = nameOf(key);
      if (name !== undefined) await orNothing(() => redis.set(name, text, 'PX', ttlMs), DEADLINE_MS);
    },
  };
}
