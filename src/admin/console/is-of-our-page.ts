import type { IncomingMessage } from 'node:http';
import type { GraphQLError } from 'graphql';
import { requestError } from '../../model/errors.js';

/**
 * Returns whether our own page sent a request. Unless `only` is GET, the request must contain JSON,
 * and must not be a GET request. A browser also attaches the cookie to requests that pages of other
 * origins make, so the cookie alone proves nothing.
 */
export function isOfOurPage({ method, headers }: IncomingMessage, only: 'GET' | 'POST' = 'POST'): boolean {
  const site = headers['sec-fetch-site'];
  const isOurs =
    site === undefined ? isOriginOfHost(headers, only) : site === 'same-origin' || (only === 'GET' && site === 'none');
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  return isOurs && (only === 'GET' || (method !== 'GET' && isJson));
}

/**
 * Compares the origin with the host. It is for requests without `sec-fetch-site`: browsers omit
 * this header over plain HTTP to another machine.
 */
function isOriginOfHost({ origin, host }: IncomingMessage['headers'], only: 'GET' | 'POST'): boolean {
  if (origin === undefined) return only === 'GET';
  return URL.canParse(origin) && new URL(origin).host === host;
}

/**
 * Checks that our own page sent a request.
 * @throws GraphQLError with status 403 for a request of another page
 */
export function requireOurPage(request: IncomingMessage, method?: 'GET'): void {
  if (!isOfOurPage(request, method)) throw notOfOurPage();
}

export function notOfOurPage(): GraphQLError {
  return requestError('FORBIDDEN', 'a session of the console accepts only JSON that the console page posts');
}
