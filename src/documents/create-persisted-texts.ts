import { createHash } from 'node:crypto';
import { createTextCache, type SizedCache } from '../runtime/sized-cache.js';

/**
 * Store in which instances share texts. Its methods never reject: a text that it cannot read in
 * time counts as unknown.
 */
interface SharedTexts {
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string, ttlMs: number): Promise<void>;
}

interface PersistedTextsOptions {
  /** Maximum estimated heap size of the texts in this process, in bytes. @default 8388608 */
  maxBytes?: number;
  /** Shared store. Without it, each process knows only the texts that it received itself. */
  shared: SharedTexts | undefined;
}

const DAY_MS = 86_400_000;
const MAX_BYTES = 8 * 2 ** 20;
/**
 * Maximum length of a shared text. With 4,096 places, Redis needs at most 32 MiB regardless of the
 * texts. Longer texts stay in the process.
 */
const MAX_SHARED_LENGTH = 8192;
/**
 * Maximum number of lookups in flight. Further lookups of unknown hashes are answered without
 * Redis.
 */
const MAX_LOOKUPS = 32;
const HASH_LENGTH = 64;
const HASH = /^(?:apq:)?([0-9a-f]{64})$/;

/**
 * Creates a cache of the texts of persisted queries by their hashes. It keeps them in this process
 * and in a Redis that all instances share. Behind a load balancer, a client then pays the fee of an
 * unknown hash once and not once per instance.
 *
 * Apollo Server stores only admitted texts, so rejected texts cannot fill this cache. In Redis each
 * hash has one of a fixed number of places, which its first characters select. A new text replaces
 * the previous one of its place, so nothing has to be counted or cleaned up. A text from Redis is
 * used only if it has the requested hash.
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
      // Otherwise another program with access to Redis could choose the text of a hash.
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
      // A client that sends text and hash each time causes only one write.
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

/** Returns the Redis key of a hash, which is one of 4,096. */
function placeOf(hash: string): string {
  return `apq:${hash.slice(0, 3)}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
