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
  /** Undefined: no token is good. */
  verifyToken: TokenVerifier | undefined;
  /** Credentials that another part of the server checks: they are not looked at. @default none */
  ignored?: IgnoredCredentials;
  /** Bounds the look-ups of keys that do not exist. @default 100 of an address, and one more each second */
  guesses?: GuessLimit;
}

/** What a request says of who sent it. */
interface Sender {
  /** A header of the request, by its name in lower case. */
  header(name: string): string | undefined;
  /** As it is counted; read before anything is waited for: a socket that is closed meanwhile has no address any more. */
  ip: string | undefined;
}

/** Longer than any key that was ever given out: not worth hashing. */
const MAX_KEY_LENGTH = 256;

/**
 * Says who sent a request: the holder of its API key (`x-api-key`, or `Authorization: Bearer tg_...`), else the user of its
 * token (`Authorization: Bearer`), else an anonymous caller known by their address. A bad credential is refused, never
 * taken for anonymous. The address is always part of the subject, so that rules can speak of it.
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
      throw identityUnavailable('the directory of keys does not answer', error);
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
  'tokens are not accepted here: send an API key as x-api-key, or one that begins with tg_ as "Authorization: Bearer"';

/** Its holder must not use the API, whatever they hold. */
export function disabledError() {
  return authenticationError('this caller is shut out');
}
