import type { IncomingMessage } from 'node:http';
import type { GraphQLError } from 'graphql';
import { requestError } from '../../model/errors.js';

/** A browser sends the cookie along with what pages of other origins make it send: only what our own page sends as JSON counts. */
export function isOfOurPage({ method, headers }: IncomingMessage, only: 'GET' | 'POST' = 'POST'): boolean {
  const site = headers['sec-fetch-site'];
  const isOurs =
    site === undefined ? isOriginOfHost(headers, only) : site === 'same-origin' || (only === 'GET' && site === 'none');
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  return isOurs && (only === 'GET' || (method !== 'GET' && isJson));
}

/** Browsers that say nothing of the site: over plain HTTP, elsewhere than on this machine. */
function isOriginOfHost({ origin, host }: IncomingMessage['headers'], only: 'GET' | 'POST'): boolean {
  if (origin === undefined) return only === 'GET';
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** @throws GraphQLError of a 403 */
export function requireOurPage(request: IncomingMessage, method?: 'GET'): void {
  if (!isOfOurPage(request, method)) throw notOfOurPage();
}

export function notOfOurPage(): GraphQLError {
  return requestError('FORBIDDEN', 'the session of the console is for JSON that its own page posts');
}
