import { createTextCache, type SizedCache } from '../runtime/sized-cache.js';
import { sha256Of } from './sha-256-of.js';

/**
 * Store in which instances share texts. Its methods never reject. If it cannot read a text in time,
 * the text counts as unknown.
 */
interface SharedTexts {
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string, ttlMs: number): Promise<void>;
}

interface PersistedTextsOptions {
  /** Maximum estimated heap size of the texts in this process, in bytes. @default 8388608 */
  maxBytes?: number;
  /** Shared store. If undefined, each process has only the texts that clients sent to it. */
  shared: SharedTexts | undefined;
}

const DAY_MS = 86_400_000;
const MAX_BYTES = 8 * 2 ** 20;
/**
 * Maximum size of a shared text, in bytes. There are 4,096 keys in Redis, so the texts use at most
 * 32 MiB there. Longer texts are stored only in the process.
 */
const MAX_SHARED_BYTES = 8192;
/**
 * Maximum number of lookups in flight. Beyond it, a hash that is not in the process counts as
 * unknown, without a lookup in Redis.
 */
const MAX_LOOKUPS = 32;
const HASH_LENGTH = 64;
const HASH = /^(?:apq:)?([0-9a-f]{64})$/;

/**
 * Creates a cache of the texts of persisted queries, by their hashes. It stores them in this
 * process and in a Redis that all instances share. Behind a load balancer, a client then pays the
 * fee of an unknown hash only once, and not once per instance.
 *
 * Apollo Server stores only admitted texts, so rejected texts cannot fill this cache. The first
 * characters of a hash determine its key in Redis, so the number of keys is fixed. A new text
 * replaces the previous one with the same key, so no cleanup is needed. A text from Redis is used
 * only if it has the requested hash.
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
      // Check the hash. Otherwise another program with access to Redis could replace the text of a
      // hash.
      if (isTooLong(text) || sha256Of(text) !== hash) return undefined;
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
      // Some clients send the text with the hash each time. Only the first request causes a write.
      if (!shared || isKnown || hash === undefined || isTooLong(text)) return;
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

/** Returns the key of a hash in the cache. Apollo Server uses the same keys. */
export function keyOfHash(hash: string): string {
  return `apq:${hash}`;
}

/** Returns the key in Redis for the text of a hash: one of 4,096 keys. */
function placeOf(hash: string): string {
  return `apq:${hash.slice(0, 3)}`;
}

function isTooLong(text: string): boolean {
  return Buffer.byteLength(text) > MAX_SHARED_BYTES;
}
