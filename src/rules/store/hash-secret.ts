import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 hash of an API key or an administrator token, in hexadecimal. Tollgate stores
 * the hash and looks secrets up by it. A slow hash would add no protection, because secrets are
 * random and long.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
