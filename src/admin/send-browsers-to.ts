import type { Request, RequestHandler } from 'express';

/**
 * Redirects browsers that open the address of the admin API to its page in the console, which
 * handles the login. The page receives the query string, such as `?query={viewer{name}}`. All other
 * requests continue.
 * @param onAnswer receives the status of each redirect
 */
export function sendBrowsersTo(
  pageOf: (request: Request) => string,
  onAnswer: (status: number) => void,
): RequestHandler {
  return (request, response, next) => {
    if (!request.headers.accept?.startsWith('text/html')) return next();
    const mark = request.url.indexOf('?');
    response.setHeader('vary', 'accept');
    response.setHeader('cache-control', 'no-store');
    response.redirect(302, pageOf(request) + (mark < 0 ? '' : request.url.slice(mark)));
    onAnswer(302);
  };
}
