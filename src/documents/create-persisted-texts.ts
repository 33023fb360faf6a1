import { createHash } from 'node:crypto';
import { createTextCache, type SizedCache } from '../runtime/sized-cache.js';

/** Where instances share texts. It never rejects: what it cannot tell in time it does not know. */
interface SharedTexts {
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string, ttlMs: number): Promise<void>;
}

interface PersistedTextsOptions {
  /** What this process keeps at most, in bytes of the heap, estimated. @default 8388608 */
  maxBytes?: number;
  /** Undefined: each process knows what it was sent itself. */
  shared: SharedTexts | undefined;
}

const DAY_MS = 86_400_000;
const MAX_BYTES = 8 * 2 ** 20;
/** With 4,096 places that is 32 MiB of Redis at most, whatever is sent. Longer texts stay in the process. */
const MAX_SHARED_LENGTH = 8192;
/** Callers who ask for unknown hashes wait for Redis with these at most, and else are answered without it. */
const MAX_LOOKUPS = 32;
const HASH_LENGTH = 64;
const HASH = /^(?:apq:)?([0-9a-f]{64})$/;

/**
 * The texts of persisted queries by their hashes: in this process, and in a Redis that all instances share, so that behind a
 * balancer a client pays the fee of an unknown hash once and not once for each instance.
 *
 * Apollo Server hands over only what was let in, so that refused texts cannot fill this. In Redis each hash has one of
 * a fixed number of places, whose first characters choose it: the latest text of a place drives out the one before, and there is
 * nothing to count or to clean up. What comes from there is believed only where it has the hash that was asked for.
 */
export function createPersistedTexts({ maxBytes = MAX_BYTES, shared }: PersistedTextsOptions): SizedCache<string> {
  const own = createTextCache(maxBytes);
  let lookups = 0;

  async function find(key: string): Promise<string | undefined> {
    const hash = HASH.exec(key)?.[1];
    if (!shared || hash === undefined || lookups >= MAX_LOOKUPS) return undefined;
    lookups++;
    try {
      const found = await shared.get(placeOf(hash));
      if (found === undefined || !found.startsWith(hash)) return undefined;
      const text = found.slice(HASH_LENGTH);
      // Another program that writes to Redis could otherwise choose what a hash means.
      if (text.length > MAX_SHARED_LENGTH || hashOf(text) !== hash) return undefined;
      await own.set(key, text);
      return text;
    } finally {
      lookups--;
    }
  }

  return {
    ...own,
    get: async (key) => (await own.get(key)) ?? find(key),
    async set(key, text) {
      const isKnown = (await own.get(key)) === text;
      await own.set(key, text);
      const hash = HASH.exec(key)?.[1];
      // A client that sends text and hash each time writes once.
      if (!shared || isKnown || hash === undefined || text.length > MAX_SHARED_LENGTH) return;
      await shared.set(placeOf(hash), hash + text, DAY_MS);
    },
    get bytes() {
      return own.bytes;
    },
    get count() {
      return own.count;
    },
  };
}

/** One of 4,096. */
function placeOf(hash: string): string {
  return `apq:${hash.slice(0, 3)}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
