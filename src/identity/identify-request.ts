import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { ERRORS } from '../errors.js';
import type { Subject } from '../rules/types.js';
import { countedAddress } from './address.js';
import type { ApiKeys } from './api-keys.js';

/** A credential that was given and is not good. */
export function authenticationError(reason: string): GraphQLError {
  return new GraphQLError(`${ERRORS.UNAUTHENTICATED.message}: ${reason}`, {
    extensions: { code: 'UNAUTHENTICATED', http: { status: ERRORS.UNAUTHENTICATED.status } },
  });
}

/**
 * Who sent this request: the holder of its API key (`x-api-key`, or `Authorization: Bearer tg_...`), else an anonymous
 * caller known by his address. A bad key is refused, never taken for anonymous. The address is always part of the
 * subject, so that rules can speak of it.
 */
export async function identifyRequest(request: IncomingMessage, apiKeys: ApiKeys): Promise<Subject> {
  const ip = countedAddress(request.socket.remoteAddress);
  const address = ip === undefined ? {} : { ip };
  const key = apiKeyOf(request);
  if (key === undefined) return address;
  const subject = await apiKeys.subjectOf(key);
  if (!subject) throw authenticationError('this API key is unknown, expired or revoked');
  return { ...subject, ...address };
}

function apiKeyOf({ headers }: IncomingMessage): string | undefined {
  const header = headers['x-api-key'];
  if (header !== undefined) return Array.isArray(header) ? header.join(',') : header;
  const [scheme = '', token = ''] = headers.authorization?.split(' ') ?? [];
  return scheme.toLowerCase() === 'bearer' && token.startsWith('tg_') ? token : undefined;
}
