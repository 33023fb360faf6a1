import { sha256Of } from '../documents/sha-256-of.js';

/** A document to register: its id and its text. */
export interface DocumentInput {
  readonly id: string;
  readonly text: string;
}

const CONTENT_HASH = /^(?:sha256:)?([0-9a-f]{64})$/;

/**
 * Returns the key under which an id is looked up: the hash in the id if the id is a SHA-256, else
 * the id itself.
 */
export function lookupKeyOf(id: string): string {
  return CONTENT_HASH.exec(id)?.[1] ?? id;
}

/** Returns the first 52 bits of the SHA-256 of a lookup key, as a whole number. */
export function printOf(key: string): number {
  const hash = /^[0-9a-f]{64}$/.test(key) ? key : sha256Of(key);
  return Number.parseInt(hash.slice(0, 13), 16);
}
