import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FoundConsoleSession } from '../../rules/store/create-console-session-store.js';
import type { AdminCaller } from '../context/admin-context.js';
import { SETTINGS_CALLER } from '../context/create-admin-authenticator.js';

/**
 * Who the holder of a session's secret is; undefined for a session of another token of the settings.
 * @param token that of the settings, if there is one
 */
export function callerOfSession(
  { tokenId, settingsProof, name, role }: FoundConsoleSession,
  secret: string,
  token: string | undefined,
): AdminCaller | undefined {
  if (tokenId !== null) return { actor: { name, authMethod: 'ADMIN_TOKEN' }, role, tokenId };
  // An instance with other settings has another administrator.
  if (token === undefined || settingsProof === null) return undefined;
  const isProved = timingSafeEqual(Buffer.from(proofOf(secret, token)), Buffer.from(settingsProof));
  return isProved ? SETTINGS_CALLER : undefined;
}

/** Only who has both the cookie's secret and the token can make it; of the two it says nothing. */
export function proofOf(secret: string, token: string): string {
  return createHmac('sha256', secret).update(token).digest('hex');
}
