import { LRUCache } from 'lru-cache';
import { sha256Of } from './sha-256-of.js';

/** Cache keys of documents and their cost plans: the SHA-256 of their texts, in hexadecimal. */
interface DocumentHashes {
  of(text: string): string;
  /** Caches the hash of a text, because hashing takes as long as charging a limit. */
  remember(text: string, hash: string): void;
}

const MAX_BYTES = 2 * 2 ** 20;
/**
 * Maximum length of a cached text, in characters. A longer text is hashed each time. Compared with
 * the other work for such a text, hashing takes little time.
 */
const MAX_LENGTH = 2000;
const BYTES_PER_ENTRY = 300;

export function createDocumentHashes(): DocumentHashes {
  const known = new LRUCache<string, string>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_, text) => BYTES_PER_ENTRY + text.length * 2,
  });
  return {
    of: (text) => known.get(text) ?? sha256Of(text),
    remember(text, hash) {
      if (text.length <= MAX_LENGTH && !known.has(text)) known.set(text, hash);
    },
  };
}
