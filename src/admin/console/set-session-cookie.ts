import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import type { ConsolePlaces } from './console-places.js';

const COOKIE = 'tollgate_console';

/** Returns the secret of the session from the cookie of a request. */
export function secretOf({ headers }: IncomingMessage): string | undefined {
  const [, secret] = new RegExp(`(?:^|;) *${COOKIE}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '') ?? [];
  return secret;
}

/**
 * Returns the paths of the page and of the admin API only. An API at the same origin, or the
 * server to which it forwards requests, must never receive the cookie.
 */
function pathsOfCookie({ admin, base }: ConsolePlaces): string[] {
  return base.startsWith(`${admin}/`) ? [admin || '/'] : [base, admin];
}

export function setSessionCookie(request: Request, response: Response, places: ConsolePlaces, secret: string): void {
  setCookie(request, response, { paths: pathsOfCookie(places), value: secret });
}

export function forgetSessionCookie(request: Request, response: Response, places: ConsolePlaces): void {
  setCookie(request, response, { paths: pathsOfCookie(places), value: '', maxAge: 0 });
}

function setCookie(
  request: Request,
  response: Response,
  { paths, value, maxAge }: { paths: readonly string[]; value: string; maxAge?: number },
): void {
  // Without a proxy in front, a client can forge this header. It harms only itself: its browser
  // does not send a `Secure` cookie over plain HTTP.
  const isSecure = (request.socket as TLSSocket).encrypted || request.headers['x-forwarded-proto'] === 'https';
  const rest = ['HttpOnly', 'SameSite=Strict'];
  if (isSecure) rest.push('Secure');
  if (maxAge !== undefined) rest.push(`Max-Age=${maxAge}`);
  response.setHeader(
    'set-cookie',
    paths.map((path) => [`${COOKIE}=${value}`, `Path=${path}`, ...rest].join('; ')),
  );
}
