import type { Subject } from '../model/subject.js';
import { IdentityUnavailable } from '../rules/live/identity-unavailable.js';
import type { Caller, SubjectCache } from '../rules/live/subject-cache.js';
import { hashSecret } from '../rules/store/hash-secret.js';
import { authenticationError, identityUnavailable } from './authentication-error.js';
import { credentialOf, type IgnoredCredentials, unknownKey } from './credential-of.js';
import { createGuessLimit, type GuessLimit, tooManyGuesses } from './guess-limit.js';
import type { TokenVerifier } from './token-verifier.js';

export interface IdentifierOptions {
  subjects: Pick<SubjectCache, 'holderOf' | 'knowsKey' | 'resolve'>;
  /** Verifier of tokens; undefined if no token is accepted. */
  verifyToken: TokenVerifier | undefined;
  /**
   * Credentials that another part of the server checks, so that they are ignored here.
   * @default none
   */
  ignored?: IgnoredCredentials;
  /**
   * Limit on look-ups of keys that do not exist.
   * @default 100 per address, and one more each second
   */
  guesses?: GuessLimit;
}

/** Parts of a request that identify its sender. */
interface Sender {
  /** Returns a header of the request, by its name in lower case. */
  header(name: string): string | undefined;
  /**
   * Address in the form under which it is counted. It is read before any wait: a socket that closes
   * in the meantime has no address.
   */
  ip: string | undefined;
}

/** Maximum length of a key that is hashed. No key that was ever issued is longer. */
const MAX_KEY_LENGTH = 256;

/**
 * Creates the function that identifies the sender of a request. The first available of these
 * identifies the sender: the holder of the API key, the user of the token, the address. A key is
 * sent as `x-api-key` or `Authorization: Bearer tg_...`, and a token as `Authorization: Bearer`.
 *
 * A bad credential is rejected and never counts as anonymous. The subject always contains the
 * address, so that rules can refer to it.
 */
export function createIdentifier(options: IdentifierOptions) {
  const { subjects, verifyToken, ignored = NONE, guesses = createGuessLimit() } = options;
  async function callerOf({ header, ip }: Sender): Promise<Caller | undefined> {
    const credential = credentialOf(header, ignored);
    if (!credential) return undefined;
    if ('key' in credential) return holderOf(credential.key, ip);
    if (!verifyToken) throw authenticationError(NO_TOKENS);
    return subjects.resolve(await verifyToken(credential.token));
  }

  async function holderOf(key: string, ip: string | undefined): Promise<Caller> {
    if (key.length > MAX_KEY_LENGTH) throw unknownKey(key);
    const hash = hashSecret(key);
    if (guesses.isSpent(ip) && !subjects.knowsKey(hash)) throw tooManyGuesses();
    try {
      const holder = await subjects.holderOf(hash);
      if (holder) return holder;
    } catch (error) {
      if (!(error instanceof IdentityUnavailable)) throw error;
      throw identityUnavailable('the key store is unavailable', error);
    }
    guesses.count(ip);
    throw unknownKey(key);
  }

  return async (sender: Sender): Promise<Subject> => {
    const caller = await callerOf(sender);
    if (caller?.disabled) throw disabledError();
    return { ...caller?.subject, ...(sender.ip !== undefined && { ip: sender.ip }) };
  };
}

const NONE: IgnoredCredentials = { keys: false, tokens: false };
const NO_TOKENS =
  'this server does not accept tokens: send an API key as x-api-key, or one that begins with tg_ as "Authorization: Bearer"';

/** Creates the error for a disabled caller, who is rejected with any credential. */
export function disabledError() {
  return authenticationError('this caller is disabled');
}
