import { createHash } from 'node:crypto';

/**
 * What is stored of an API key or of an administrator's token, and what it is looked up by: SHA-256 of all of it, in hexadecimal.
 * One function for those who store and those who look up. Secrets are random and long: a slow hash would protect nothing.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
