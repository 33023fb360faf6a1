import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Subject } from '../rules/types.js';

export interface ApiKeysOptions {
  /** Looks a key up by the SHA-256 of the whole key, in hexadecimal; undefined: there is none, or it is not valid now. */
  findSubject(keyHash: string): Promise<Subject | undefined>;
  /** How many keys are remembered. @default 10000 */
  maxKeys?: number;
  /** How long an answer is remembered. @default 60000 */
  ttlMs?: number;
}

export interface ApiKeys {
  /** The key's subject, or undefined for a key that is wrong, expired or revoked. */
  subjectOf(key: string): Promise<Subject | undefined>;
  /** Forgets everything: something about keys or subjects has changed. */
  clear(): void;
}

/** Longer than any key that was ever given out: not worth hashing. */
const MAX_KEY_LENGTH = 256;

/** API keys and whose they are, remembered so that the database is asked once per key. */
export function createApiKeys({ findSubject, maxKeys = 10_000, ttlMs = 60_000 }: ApiKeysOptions): ApiKeys {
  const known = new LRUCache<string, { subject: Subject | undefined }>({
    max: maxKeys,
    ttl: ttlMs,
    fetchMethod: async (keyHash) => ({ subject: await findSubject(keyHash) }),
  });
  return {
    async subjectOf(key) {
      if (key.length > MAX_KEY_LENGTH) return undefined;
      const found = await known.fetch(createHash('sha256').update(key).digest('hex'));
      return found?.subject;
    },
    clear: () => known.clear(),
  };
}
