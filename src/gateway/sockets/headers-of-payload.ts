import { requestError } from '../../model/errors.js';
import { isObject } from '../../runtime/is-object.js';
import type { SocketCredential } from '../gateway-settings.js';

/**
 * Returns the HTTP headers that carry the credentials of a payload. A token without a scheme is a
 * bearer token.
 * @throws GraphQLError if a credential is not a string
 */
export function headersOfPayload(
  credentials: readonly SocketCredential[],
  payload: unknown,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const { path, header } of credentials) {
    const value = memberAt(payload, path);
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') {
      throw requestError('BAD_REQUEST', `connectionParams.${path.join('.')}: expected a string, got ${typeof value}`);
    }
    const isBareToken = header === 'authorization' && !value.includes(' ');
    headers[header] ??= isBareToken ? `Bearer ${value}` : value;
  }
  return headers;
}

/** Returns the payload without the API keys of Tollgate, which the API must never receive. */
export function withoutKeys(credentials: readonly SocketCredential[], payload: unknown): unknown {
  const copy: unknown = structuredClone(payload);
  for (const { path, header } of credentials) {
    if (header !== 'x-api-key') continue;
    const parent = memberAt(copy, path.slice(0, -1));
    if (isObject(parent)) delete parent[path.at(-1)!];
  }
  return copy;
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}
