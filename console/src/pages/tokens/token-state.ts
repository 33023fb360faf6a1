import { serverNow } from '../../api/server-clock.js';
export interface TokenTimes {
  expiresAt?: string | null;
  revokedAt?: string | null;
  replacedAt?: string | null;
}

export type TokenState = 'active' | 'replaced' | 'expired' | 'revoked';

/** Returns the state of a token at a moment. A replaced token stays valid until it expires. */
export function tokenState({ expiresAt, revokedAt, replacedAt }: TokenTimes, nowMs = serverNow()): TokenState {
  if (revokedAt) return 'revoked';
  if (expiresAt && Date.parse(expiresAt) <= nowMs) return 'expired';
  return replacedAt ? 'replaced' : 'active';
}

/** Returns whether a token is valid. */
export function isGood(token: TokenTimes, nowMs = serverNow()): boolean {
  const state = tokenState(token, nowMs);
  return state === 'active' || state === 'replaced';
}
