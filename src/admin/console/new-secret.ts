import { randomBytes } from 'node:crypto';

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
