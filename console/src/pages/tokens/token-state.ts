import { serverNow } from '../../api/server-clock.js';
export interface TokenTimes {
  expiresAt?: string | null;
  revokedAt?: string | null;
  replacedAt?: string | null;
}

export type TokenState = 'in use' | 'replaced' | 'expired' | 'revoked';

/** What a token is good for at a moment. One that was replaced is good until it expires. */
export function tokenState({ expiresAt, revokedAt, replacedAt }: TokenTimes, nowMs = serverNow()): TokenState {
  if (revokedAt) return 'revoked';
  if (expiresAt && Date.parse(expiresAt) <= nowMs) return 'expired';
  return replacedAt ? 'replaced' : 'in use';
}

/** Whether anybody gets in with it. */
export function isGood(token: TokenTimes, nowMs = serverNow()): boolean {
  const state = tokenState(token, nowMs);
  return state === 'in use' || state === 'replaced';
}
