import { createHash } from 'node:crypto';
import type { Subject } from '../model/subject.js';
import { type Caller, IdentityUnavailable, type SubjectCache } from '../rules/live/subject-cache.js';
import { authenticationError, identityUnavailable } from './identity-error.js';
import type { TokenVerifier } from './json-web-token.js';

export interface IdentifierOptions {
  subjects: Pick<SubjectCache, 'holderOf' | 'resolve'>;
  /** Undefined: no token is good. */
  verifyToken: TokenVerifier | undefined;
  /** Credentials that are somebody else's to check: they are not looked at. @default none */
  ignored?: { keys: boolean; tokens: boolean };
}

/** What a request says of who sent it. */
export interface Sender {
  /** A header of the request, by its name in lower case. */
  header(name: string): string | undefined;
  /** As it is counted; read before anything is waited for: a socket that is closed meanwhile has no address any more. */
  ip: string | undefined;
}

/** Longer than any key that was ever given out: not worth hashing. */
const MAX_KEY_LENGTH = 256;

/**
 * Says who sent a request: the holder of its API key (`x-api-key`, or `Authorization: Bearer tg_...`), else the user of its
 * token (`Authorization: Bearer`), else an anonymous caller known by his address. A bad credential is refused, never
 * taken for anonymous. The address is always part of the subject, so that rules can speak of it.
 */
export function createIdentifier({ subjects, verifyToken, ignored = NONE }: IdentifierOptions) {
  async function callerOf({ header }: Sender): Promise<Caller | undefined> {
    const credential = credentialOf(header, ignored);
    if (!credential) return undefined;
    if ('key' in credential) return holderOf(credential.key, subjects);
    if (!verifyToken) throw authenticationError('tokens are not accepted here');
    return subjects.resolve(await verifyToken(credential.token));
  }

  return async (sender: Sender): Promise<Subject> => {
    const caller = await callerOf(sender);
    if (caller?.disabled) throw disabledError();
    return { ...caller?.subject, ...(sender.ip !== undefined && { ip: sender.ip }) };
  };
}

const NONE = { keys: false, tokens: false };

/** Its holder must not use the API, whatever he holds. */
export function disabledError() {
  return authenticationError('this caller is shut out');
}

async function holderOf(key: string, subjects: Pick<SubjectCache, 'holderOf'>): Promise<Caller> {
  const unknown = () => authenticationError('this API key is unknown, expired or revoked');
  if (key.length > MAX_KEY_LENGTH) throw unknown();
  try {
    const holder = await subjects.holderOf(createHash('sha256').update(key).digest('hex'));
    if (!holder) throw unknown();
    return holder;
  } catch (error) {
    if (!(error instanceof IdentityUnavailable)) throw error;
    throw identityUnavailable('the directory of keys does not answer', error);
  }
}

type Credential = { key: string } | { token: string };

/** What the request brings to say who sent it; anything in its place that is neither key nor token is a bad credential. */
function credentialOf(header: Sender['header'], ignored: { keys: boolean; tokens: boolean }): Credential | undefined {
  const key = ignored.keys ? undefined : header('x-api-key');
  if (key !== undefined) return { key };
  const authorization = header('authorization');
  if (authorization === undefined) return undefined;
  const [scheme = '', value = '', ...rest] = authorization.trim().split(/ +/);
  const isBearer = scheme.toLowerCase() === 'bearer' && value !== '' && rest.length === 0;
  if (isBearer && value.startsWith('tg_')) return ignored.keys ? undefined : { key: value };
  if (ignored.tokens) return undefined;
  if (!isBearer) throw authenticationError('expected "Authorization: Bearer" with a key or a token');
  return { token: value };
}
