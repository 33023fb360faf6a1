import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request } from 'express';

/**
 * Passes the requests below a base path to an application. Without a base path, it passes all
 * requests.
 */
export function handleBelow(basePath: string | undefined, app: Express) {
  return function handle(request: IncomingMessage, response: ServerResponse, next?: () => void): void {
    const path = pathBelow(request, basePath);
    if (path === undefined) {
      (next ?? (() => nothingHere(response)))();
      return;
    }
    request.url = path;
    app(request as Request, response as Parameters<Express>[1]);
  };
}

function nothingHere(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ errors: [{ message: 'Not found' }] }));
}

/**
 * Returns the path and query of a request relative to the base path. Undefined for a request
 * outside of it.
 */
function pathBelow(request: IncomingMessage & { baseUrl?: string }, basePath: string | undefined): string | undefined {
  const { url = '/', baseUrl = '' } = request;
  if (basePath === undefined) return url;
  const whole = baseUrl + url;
  const below = whole.slice(basePath.length);
  if (!whole.startsWith(basePath) || !/^($|[/?])/.test(below)) return undefined;
  return below.startsWith('/') ? below : `/${below}`;
}
