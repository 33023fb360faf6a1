import type { Cluster, Redis } from 'ioredis';

/** The copy in Redis that all instances share: texts that are gone after a while. It never rejects, it only knows nothing. */
export interface SharedCache {
  get(key: string, deadlineMs?: number): Promise<string | undefined>;
  set(key: string, text: string, ttlMs: number): Promise<void>;
}

/** Longer than this nobody waits, unless he says so: the database knows too. */
const DEADLINE_MS = 100;

/** `scope` names the database the copies are of: two platforms may share a Redis. */
export function createSharedCache(redis: Redis | Cluster, scope: () => string | undefined): SharedCache {
  const nameOf = (key: string) => {
    const of = scope();
    return of === undefined ? undefined : `tg:cache:${of}:${key}`;
  };
  return {
    async get(key, deadlineMs = DEADLINE_MS) {
      const name = nameOf(key);
      if (name === undefined) return undefined;
      return (await orNothing(redis.get(name), deadlineMs)) ?? undefined;
    },
    async set(key, text, ttlMs) {
      const name = nameOf(key);
      if (name !== undefined) await orNothing(redis.set(name, text, 'PX', ttlMs), DEADLINE_MS);
    },
  };
}

async function orNothing<T>(command: Promise<T>, deadlineMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, deadlineMs, undefined);
  });
  try {
    return await Promise.race([command.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
