import type { RedisClient } from '../../model/redis-client.js';
import { withTimeout } from '../../runtime/with-timeout.js';

/** The copy in Redis that all instances share: texts that are gone after a while. It never rejects, it only knows nothing. */
export interface SharedCache {
  get(key: string, deadlineMs?: number): Promise<string | undefined>;
  set(key: string, text: string, ttlMs: number): Promise<void>;
}

/** Longer than this nobody waits, unless they say so: the database knows too. */
const DEADLINE_MS = 100;

/** One who was not answered does not ask again at once: a change would wait for each question that its loading asks. */
const SILENT_MS = 1000;

/**
 * `scope` names the database the copies are of: two platforms may share a Redis. `onForeign` is called with a key that holds no
 * text: it is read as if it were missing, and overwritten by what is read instead.
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
      // A timer that is late itself says that this process stood still, and nothing of Redis.
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
