import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** The names by which documents and their plans are kept: the SHA-256 of their texts, in hexadecimal. */
interface DocumentHashes {
  of(text: string): string;
  /** To make a hash takes as long as to charge a limit. Those of texts that come again and again are worth their room. */
  remember(text: string, hash: string): void;
}

const MAX_BYTES = 2 * 2 ** 20;
/** A longer one is hashed each time: that takes a small part of what the rest of it does. */
const MAX_LENGTH = 2000;
const BYTES_PER_ENTRY = 300;

export function createDocumentHashes(): DocumentHashes {
  const known = new LRUCache<string, string>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_, text) => BYTES_PER_ENTRY + text.length * 2,
  });
  return {
    of: (text) => known.get(text) ?? createHash('sha256').update(text).digest('hex'),
    remember(text, hash) {
      if (text.length <= MAX_LENGTH && !known.has(text)) known.set(text, hash);
    },
  };
}
