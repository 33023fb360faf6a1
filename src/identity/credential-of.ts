import { authenticationError } from './authentication-error.js';

/** What a request brings to say who sent it. */
type Credential = { key: string } | { token: string };

export interface IgnoredCredentials {
  keys: boolean;
  tokens: boolean;
}

/** Headers in which people send keys that are looked for in `x-api-key`. */
const OTHER_HEADERS = ['api-key', 'apikey'];

/**
 * The key or the token of a request; anything in its place that is neither is a bad credential, and so is a key of Tollgate's in
 * the wrong place: its sender would be anonymous, and wonder why. Messages name no part of it.
 */
export function credentialOf(
  header: (name: string) => string | undefined,
  ignored: IgnoredCredentials,
): Credential | undefined {
  const key = ignored.keys ? undefined : header('x-api-key');
  if (key !== undefined) return { key };
  const authorization = header('authorization');
  if (authorization === undefined) {
    if (!ignored.keys) refuseOtherHeaders(header);
    return undefined;
  }
  const [scheme = '', value = '', ...rest] = authorization.trim().split(/ +/);
  const isBearer = scheme.toLowerCase() === 'bearer' && value !== '' && rest.length === 0;
  if (isBearer && isOwnKey(value)) return ignored.keys ? undefined : { key: value };
  if (!isBearer && !ignored.keys && [scheme, value].some(isOwnKey)) {
    throw authenticationError('an API key is sent as x-api-key, or as "Authorization: Bearer" and the key');
  }
  if (ignored.tokens) return undefined;
  if (!isBearer) throw authenticationError('expected "Authorization: Bearer" with a key or a token');
  if (isAdminToken(value)) throw ofAdministrator();
  return { token: value };
}

/** Why a key that no caller holds was refused, as far as its form says. */
export function unknownKey(key: string): ReturnType<typeof authenticationError> {
  if (/^bearer /i.test(key)) return authenticationError('x-api-key takes the key alone, without "Bearer"');
  if (isAdminToken(key)) return ofAdministrator();
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(key)) {
    return authenticationError('this is a token and no API key: send it as "Authorization: Bearer"');
  }
  return authenticationError(
    'this API key is unknown, expired or revoked; a key is good only where it was made, on servers with the same database',
  );
}

/** Of those that are made here. Others are good too, where they were stored by hand. */
export function isOwnKey(text: string): boolean {
  return text.startsWith('tg_');
}

function refuseOtherHeaders(header: (name: string) => string | undefined): void {
  for (const name of OTHER_HEADERS) {
    if (header(name)?.startsWith('tg_')) throw authenticationError(`an API key is sent as x-api-key, not as ${name}`);
  }
}

function isAdminToken(text: string): boolean {
  return text.startsWith('tga_');
}

function ofAdministrator(): ReturnType<typeof authenticationError> {
  return authenticationError(
    'this is the token of an administrator, which is good for the admin API alone: send an API key',
  );
}
