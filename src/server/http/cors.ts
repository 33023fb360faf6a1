import type { RequestHandler } from 'express';
import { QUOTA_HEADERS } from '../../protection/answer/quota-headers.js';

const EXPOSED_HEADERS = QUOTA_HEADERS.join(', ');

/**
 * Lets pages of the origins listed read answers and their quota, and those of no other. There are no cookies here, so
 * credentials are not allowed along.
 */
export function cors(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (request, response, next) => {
    const { origin } = request.headers;
    if (allowed.size > 0) response.vary('Origin');
    const isAllowed = origin !== undefined && allowed.has(origin);
    if (isAllowed) {
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
    }
    if (request.method !== 'OPTIONS' || origin === undefined) return next();
    if (isAllowed) {
      response.setHeader('access-control-allow-methods', 'GET, POST');
      // Whatever the page wants to send: the API behind a gateway may read any header, and programs can send all of them anyway.
      const wanted = request.headers['access-control-request-headers'];
      response.vary('Access-Control-Request-Headers');
      if (wanted !== undefined) response.setHeader('access-control-allow-headers', wanted);
      response.setHeader('access-control-max-age', '600');
    }
    // Without those headers the browser stops there.
    response.status(204).end();
  };
}
