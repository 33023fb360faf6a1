import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 hash of an API key or an administrator token, in hexadecimal. The hash is
 * stored and used for look-ups.
 * Storing and looking up share this function. Secrets are random and long, so that a slow hash
 * would add no protection.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
