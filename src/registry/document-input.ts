import { sha256Of } from '../documents/sha-256-of.js';

/** A document to register: its id and its text. */
export interface DocumentInput {
  readonly id: string;
  readonly text: string;
}

const PREFIX = 'sha256:';
const HASH_LENGTH = 64;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Returns the key under which an id is looked up: the hash in the id if the id is a SHA-256, else
 * the id itself.
 */
export function lookupKeyOf(id: string): string {
  // Each request with an id calls this function. These conditions are faster than one expression.
  const isPrefixed = id.length === PREFIX.length + HASH_LENGTH && id.startsWith(PREFIX);
  const hash = isPrefixed ? id.slice(PREFIX.length) : id;
  return hash.length === HASH_LENGTH && HASH.test(hash) ? hash : id;
}

/** Returns the first 52 bits of the SHA-256 of a lookup key, as a whole number. */
export function printOf(key: string): number {
  const hash = HASH.test(key) ? key : sha256Of(key);
  return Number.parseInt(hash.slice(0, 13), 16);
}
