import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Subject } from '../model/subject.js';
import { type Caller, IdentityUnavailable, type SubjectCache } from '../rules/live/subject-cache.js';
import type { AddressOf } from './address.js';
import { authenticationError, identityUnavailable } from './identity-error.js';
import type { TokenVerifier } from './json-web-token.js';

export interface IdentifierOptions {
  subjects: Pick<SubjectCache, 'holderOf' | 'resolve'>;
  addressOf: AddressOf;
  /** Undefined: no token is good. */
  verifyToken: TokenVerifier | undefined;
}

/** Longer than any key that was ever given out: not worth hashing. */
const MAX_KEY_LENGTH = 256;

/**
 * Says who sent a request: the holder of its API key (`x-api-key`, or `Authorization: Bearer tg_...`), else the user of its
 * token (`Authorization: Bearer`), else an anonymous caller known by his address. A bad credential is refused, never
 * taken for anonymous. The address is always part of the subject, so that rules can speak of it.
 */
export function createIdentifier({ subjects, addressOf, verifyToken }: IdentifierOptions) {
  async function callerOf(request: IncomingMessage): Promise<Caller | undefined> {
    const credential = credentialOf(request);
    if (!credential) return undefined;
    if ('key' in credential) return holderOf(credential.key, subjects);
    if (!verifyToken) throw authenticationError('tokens are not accepted here');
    return subjects.resolve(await verifyToken(credential.token));
  }

  return async (request: IncomingMessage): Promise<Subject> => {
    // Before anything is waited for: a socket that is closed meanwhile has no address any more.
    const ip = addressOf(request);
    const caller = await callerOf(request);
    if (caller?.disabled) throw disabledError();
    return { ...caller?.subject, ...(ip !== undefined && { ip }) };
  };
}

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
function credentialOf({ headers }: IncomingMessage): Credential | undefined {
  const header = headers['x-api-key'];
  if (header !== undefined) return { key: Array.isArray(header) ? header.join(',') : header };
  if (headers.authorization === undefined) return undefined;
  const [scheme = '', value = '', ...rest] = headers.authorization.trim().split(/ +/);
  if (scheme.toLowerCase() !== 'bearer' || value === '' || rest.length > 0) {
    throw authenticationError('expected "Authorization: Bearer" with a key or a token');
  }
  return value.startsWith('tg_') ? { key: value } : { token: value };
}
