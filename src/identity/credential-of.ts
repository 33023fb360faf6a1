import { authenticationError } from './authentication-error.js';

/** Credential with which a request identifies its sender. */
type Credential = { key: string } | { token: string };

/** Kinds of credentials that are ignored here, because another part of the server checks them. */
export interface IgnoredCredentials {
  keys: boolean;
  tokens: boolean;
}

/** Headers in which clients send API keys by mistake. The right header is `x-api-key`. */
const OTHER_HEADERS = ['api-key', 'apikey'];

/**
 * Returns the key or the token of a request; undefined if it has none. A credential of another form
 * is rejected. An API key of Tollgate in the wrong header is also rejected. Otherwise its sender
 * would count as anonymous without noticing.
 *
 * Error messages contain no part of the credential.
 */
export function credentialOf(
  header: (name: string) => string | undefined,
  ignored: IgnoredCredentials,
): Credential | undefined {
  const key = ignored.keys ? undefined : header('x-api-key');
  if (key !== undefined) return { key };
  const authorization = header('authorization');
  if (authorization === undefined) {
    if (!ignored.keys) rejectOtherHeaders(header);
    return undefined;
  }
  const [scheme = '', value = '', ...rest] = authorization.trim().split(/ +/);
  const isBearer = scheme.toLowerCase() === 'bearer' && value !== '' && rest.length === 0;
  if (isBearer && isOwnKey(value)) return ignored.keys ? undefined : { key: value };
  if (!isBearer && !ignored.keys && [scheme, value].some(isOwnKey)) {
    throw authenticationError('send an API key as x-api-key, or as "Authorization: Bearer" and the key');
  }
  if (ignored.tokens) return undefined;
  if (!isBearer) throw authenticationError('expected "Authorization: Bearer" with a key or a token');
  if (isAdminToken(value)) throw ofAdministrator();
  return { token: value };
}

/**
 * Creates the error for a key that no caller holds. Its reason is derived from the form of the key.
 */
export function unknownKey(key: string): ReturnType<typeof authenticationError> {
  if (/^bearer /i.test(key)) return authenticationError('x-api-key: expected only the key, without "Bearer"');
  if (isAdminToken(key)) return ofAdministrator();
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(key)) {
    return authenticationError('this is a token, not an API key: send it as "Authorization: Bearer"');
  }
  return authenticationError(
    'this API key is unknown, expired or revoked; keys work only on servers that share the database they were created in',
  );
}

/**
 * Returns whether a text has the form of a key that Tollgate issues. Keys of other forms are valid
 * too, if an operator stored them.
 */
export function isOwnKey(text: string): boolean {
  return text.startsWith('tg_');
}

function rejectOtherHeaders(header: (name: string) => string | undefined): void {
  for (const name of OTHER_HEADERS) {
    if (header(name)?.startsWith('tg_')) throw authenticationError(`send an API key as x-api-key, not as ${name}`);
  }
}

function isAdminToken(text: string): boolean {
  return text.startsWith('tga_');
}

function ofAdministrator(): ReturnType<typeof authenticationError> {
  return authenticationError('this is an admin token, which only the admin API accepts: send an API key');
}
