import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FoundConsoleSession } from '../../rules/store/create-console-session-store.js';
import type { AdminCaller } from '../context/admin-context.js';
import { SETTINGS_CALLER } from '../context/create-admin-authenticator.js';

/**
 * Returns the administrator of a session. Returns undefined if the session was opened with a token
 * of the settings that is not `token`.
 * @param token token in the settings of this instance, if there is one
 */
export function callerOfSession(
  { tokenId, settingsProof, name, role }: FoundConsoleSession,
  secret: string,
  token: string | undefined,
): AdminCaller | undefined {
  if (tokenId !== null) return { actor: { name, authMethod: 'ADMIN_TOKEN' }, role, tokenId };
  // An instance with another token in its settings has another administrator, so the session is not
  // valid there.
  if (token === undefined || settingsProof === null) return undefined;
  const isProved = timingSafeEqual(Buffer.from(proofOf(secret, token)), Buffer.from(settingsProof));
  return isProved ? SETTINGS_CALLER : undefined;
}

/**
 * Returns a proof that only a holder of both the cookie's secret and the token can compute. It
 * reveals neither of them.
 */
export function proofOf(secret: string, token: string): string {
  return createHmac('sha256', secret).update(token).digest('hex');
}
