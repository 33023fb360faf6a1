import { createHash, timingSafeEqual } from 'node:crypto';
import { GraphQLError } from 'graphql';
import { ERRORS } from '../errors.js';
import type { Actor } from '../rules/store-changes.js';

/**
 * Makes the check of the `Authorization` header of an admin request. It returns who asks, or throws the GraphQLError of a
 * 401. Tokens are compared by their hashes, in a time that does not depend on where they differ.
 */
export function createAdminAuthenticator({ token }: { token: string }): (authorization: string | undefined) => Actor {
  if (!/^\S+$/.test(token)) throw new TypeError('token: expected the admin token, not empty and without spaces');
  const expected = sha256(token);
  return (authorization) => {
    const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (given === undefined || !timingSafeEqual(sha256(given), expected)) throw unauthenticated();
    return { name: 'admin', authMethod: 'ADMIN_TOKEN' };
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function unauthenticated(): GraphQLError {
  const { status, message } = ERRORS.UNAUTHENTICATED;
  const headers = new Map([['www-authenticate', 'Bearer realm="tollgate admin"']]);
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED', http: { status, headers } } });
}
