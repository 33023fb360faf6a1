import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import type { ConsolePlaces } from './console-places.js';

const COOKIE = 'tollgate_console';

/** @returns the secret of a session that a request has in its cookie */
export function secretOf({ headers }: IncomingMessage): string | undefined {
  const [, secret] = new RegExp(`(?:^|;) *${COOKIE}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '') ?? [];
  return secret;
}

/** The page and the administration that it asks, and nothing beside them: an API at the same origin, or what it is forwarded to, never sees it. */
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
  // Who says so without a proxy of ours has a cookie that their own browser does not send.
  const isSecure = (request.socket as TLSSocket).encrypted || request.headers['x-forwarded-proto'] === 'https';
  const rest = ['HttpOnly', 'SameSite=Strict'];
  if (isSecure) rest.push('Secure');
  if (maxAge !== undefined) rest.push(`Max-Age=${maxAge}`);
  response.setHeader(
    'set-cookie',
    paths.map((path) => [`${COOKIE}=${value}`, `Path=${path}`, ...rest].join('; ')),
  );
}
