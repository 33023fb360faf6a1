import { createHash, timingSafeEqual } from 'node:crypto';
import { GraphQLError } from 'graphql';
import { createGuessLimit, type GuessLimit } from '../../identity/guess-limit.js';
import { ERRORS, errorOf } from '../../model/errors.js';
import { hashSecret } from '../../rules/store/hash-secret.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import { toClientError } from '../schema/to-client-error.js';
import type { AdminCaller } from './admin-context.js';

interface AdminAuthenticatorOptions {
  /** Token of the settings, with all rights. @default none: only stored tokens are valid */
  token?: string | undefined;
  /** Store of the tokens that were created through the API. @default none */
  store?: Pick<RulesStore, 'findAdminToken'> | undefined;
  /**
   * Limit on look-ups of tokens that do not exist.
   * @default 100 look-ups per address, and one more each second
   */
  guesses?: GuessLimit;
}

/**
 * Checks an `Authorization` header. `address` is the normalized address under which the sender is
 * counted.
 */
export type AdminAuthenticator = (authorization: string | undefined, address?: string) => Promise<AdminCaller>;

/**
 * Creates the check of the `Authorization` header of an admin request. The check resolves to the
 * caller. It throws a GraphQLError with status 401 for an invalid token, and with 503 if tokens
 * cannot be looked up. Tokens are compared by their hashes, in constant time, so that the duration
 * does not reveal where they differ.
 */
export function createAdminAuthenticator({
  token,
  store,
  guesses = createGuessLimit(),
}: AdminAuthenticatorOptions): AdminAuthenticator {
  if (token !== undefined && !/^\S+$/.test(token)) {
    throw new TypeError('token: expected a non-empty admin token without spaces');
  }
  const expected = token === undefined ? undefined : sha256(token);
  return async (authorization, address) => {
    const [, given] = /^Bearer +(\S{1,256})$/i.exec(authorization ?? '') ?? [];
    if (given === undefined) throw unauthenticated(HOW_TO_AUTHENTICATE);
    if (expected && timingSafeEqual(sha256(given), expected)) {
      return SETTINGS_CALLER;
    }
    const found =
      store &&
      (await guesses.lookUp(address, hashSecret(given), () =>
        store.findAdminToken(given).catch((error: unknown) => {
          throw toClientError(error);
        }),
      ));
    if (!found) throw unauthenticated(given.startsWith('tg_') ? NO_API_KEYS : HOW_TO_AUTHENTICATE);
    return { actor: { name: found.name, authMethod: 'ADMIN_TOKEN' }, role: found.role, tokenId: found.id };
  };
}

/** Caller with the token of the settings. */
export const SETTINGS_CALLER: AdminCaller = {
  actor: { name: 'admin', authMethod: 'ADMIN_TOKEN' },
  role: 'ADMIN',
  isFromSettings: true,
};

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Hint for requests without a valid token. */
const HOW_TO_AUTHENTICATE =
  'send "Authorization: Bearer TOKEN" with a valid admin token (tga_..., or the token from the settings)';

/** Hint for requests with an API key. An API key is never valid for the admin API. */
export const NO_API_KEYS =
  'this is an API key; send "Authorization: Bearer" with an admin token (tga_..., or the token from the settings)';

/** Returns the error for unauthenticated callers, with status 401. */
export function unauthenticated(hint?: string): GraphQLError {
  const headers = new Map([['www-authenticate', 'Bearer realm="tollgate admin"']]);
  const { message } = ERRORS.UNAUTHENTICATED;
  return errorOf('UNAUTHENTICATED', hint === undefined ? message : `${message}: ${hint}`, { headers });
}
