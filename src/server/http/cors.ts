import type { RequestHandler } from 'express';
import { QUOTA_HEADERS } from '../../protection/answer/quota-headers.js';

const EXPOSED_HEADERS = QUOTA_HEADERS.join(', ');

/**
 * Allows only pages of the listed origins to read responses and the quota headers. Credentials are
 * not allowed, because the API uses no cookies.
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
      // Allow all requested headers, because the API behind a gateway may read any header. Programs
      // other than browsers can send any header anyway.
      const wanted = request.headers['access-control-request-headers'];
      response.vary('Access-Control-Request-Headers');
      if (wanted !== undefined) response.setHeader('access-control-allow-headers', wanted);
      response.setHeader('access-control-max-age', '600');
    }
    // For other origins, respond without CORS headers. The browser then does not send the request.
    response.status(204).end();
  };
}
