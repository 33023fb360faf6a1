import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import express, { type Express, type Request, type Response } from 'express';
import { GraphQLError } from 'graphql';
import { z } from 'zod';
import { checkRequest } from '../../http/check-request.js';
import { createSecureApp } from '../../http/create-secure-app.js';
import { PAGE_POLICY } from '../../http/page-policy.js';
import {
  answerErrors,
  answerFailures,
  type RejectRequest,
  sendError,
  sendRejection,
} from '../../http/reject-request.js';
import type { AddressOf } from '../../identity/address-of.js';
import type { GuessLimit } from '../../identity/guess-limit.js';
import { requestError } from '../../model/errors.js';
import type { FeeOutcome } from '../../protection/charge-fee.js';
import { hashSecret } from '../../rules/store/hash-secret.js';
import { TOLLGATE_VERSION } from '../../runtime/packages/tollgate-version.js';
import type { AdminCaller } from '../context/admin-context.js';
import { unauthenticated } from '../context/create-admin-authenticator.js';
import { type ConsoleFile, readConsoleFiles } from './console-files.js';
import { type ConsoleSessionsOptions, createConsoleSessions } from './create-console-sessions.js';

interface ConsoleOptions {
  /** Who a token belongs to, as `Authorization` has it. Throws the GraphQLError of a refusal. */
  byToken(authorization: string, address: string | undefined): Promise<AdminCaller>;
  /** Address of the sender, as it is counted. */
  addressOf: AddressOf;
  /** Bounds the look-ups of sessions that do not exist. */
  guesses: GuessLimit;
  /** The token of the settings. */
  token: string | undefined;
  /** Where the sessions are. */
  store: ConsoleSessionsOptions['store'];
  /** Who a session of the host belongs to; undefined without one. */
  byHost(request: IncomingMessage): Promise<AdminCaller | undefined>;
  /** Charges the fee of a failed login to the address that it came from. */
  rejectStranger: RejectRequest;
  /** Takes the price of a login from an administrator whose token is good. */
  chargeLogin(name: string): Promise<FeeOutcome>;
  /** Called for a guess that was answered with 429, as its address has nothing left; must not throw. */
  onShutOut(request: IncomingMessage): void;
  /** Nothing can be changed here. */
  readOnly: boolean;
  /** The sample API is served. */
  demo: boolean;
  /** Called with the status of each answer about a session; must not throw. */
  onAnswer(status: number): void;
  onError(error: unknown): void;
}

/** Where a console and the administration that it asks are, as paths without a slash at their ends. */
interface ConsolePlaces {
  base: string;
  admin: string;
}

interface Console {
  /** Serves the pages of the console, its files and its session. */
  at(placesOf: (request: Request) => ConsolePlaces): Express;
  /** Who a request comes from by the cookie of a session; undefined without one. Throws for what a page of another origin may have sent. */
  callerOf(request: IncomingMessage): Promise<AdminCaller | undefined>;
  /** Opens one session of the settings' token, within two minutes; undefined without one. */
  createCode(): string | undefined;
}

const COOKIE = 'tollgate_console';
const NOT_BUILT =
  'The files of the console are not there. In a checkout, run "npm run build:console". In a bundle, leave the package tollgate out of it ("external"): ' +
  'bundlers copy none of the files that it serves.\n';

const loginSchema = z.union([
  z.strictObject({ token: z.string().regex(/^\S{1,256}$/) }),
  z.strictObject({ code: z.string().min(1).max(256) }),
]);

/**
 * The console: a page for people, which asks the admin API as any other client does. A token is posted once and answered with the
 * cookie of a session, which no script can read and no other site can use.
 */
export function createConsole(options: ConsoleOptions): Console {
  const { byToken, addressOf, guesses, token, store, byHost, rejectStranger, chargeLogin, onShutOut } = options;
  const { readOnly, demo, onAnswer, onError } = options;
  const sessions = createConsoleSessions({ store, token, onError });
  const files = readConsoleFiles();

  /** Whose session the secret of a cookie is. */
  function find(request: IncomingMessage, secret: string) {
    return guesses.lookUp(addressOf(request), hashSecret(secret), () => sessions.find(secret));
  }

  async function proved(request: Request): Promise<{ caller: AdminCaller; hasToken: boolean }> {
    const { data: given } = loginSchema.safeParse(request.body);
    if (given === undefined) throw badLogin();
    if ('token' in given) return { caller: await byToken(`Bearer ${given.token}`, addressOf(request)), hasToken: true };
    const caller = sessions.redeem(given.code);
    if (!caller) throw badLogin();
    return { caller, hasToken: false };
  }

  async function logIn(request: Request, response: Response, { admin, base }: ConsolePlaces): Promise<void> {
    requireOurPage(request);
    try {
      const { caller, hasToken } = await proved(request);
      // A token can be posted without end, a code once.
      const { denial } = hasToken ? await chargeLogin(caller.actor.name) : {};
      if (denial) return sendRefusal(response, denial);
      const value = await sessions.open(caller);
      setCookie(request, response, { paths: pathsOfCookie({ admin, base }), value });
      response.status(204).end();
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const status = await sendRejection(request, response, error, rejectStranger);
      if (status === 429) onShutOut(request);
    }
  }

  async function logOut(request: Request, response: Response, places: ConsolePlaces): Promise<void> {
    requireOurPage(request);
    const secret = secretOf(request);
    // Where that fails the browser keeps its cookie, so that its user can try again.
    const hasEnded =
      secret === undefined ||
      (await guesses.lookUp(addressOf(request), hashSecret(secret), () => sessions.close(secret)));
    forgetCookie(request, response, places);
    if (hasEnded) response.status(204).end();
    else await refuseSecret(request, response);
  }

  /** To look a secret up costs a statement of the database: who makes them up pays for that. */
  async function refuseSecret(request: Request, response: Response): Promise<void> {
    await sendRejection(request, response, unauthenticated(), rejectStranger);
  }

  async function showSession(request: Request, response: Response, places: ConsolePlaces): Promise<void> {
    requireOurPage(request, 'GET');
    const secret = secretOf(request);
    const found = secret === undefined ? undefined : await find(request, secret);
    const caller = found?.caller ?? (await byHost(request));
    if (!caller) {
      // To ask whether one has logged in is no guess: it costs nothing.
      if (secret === undefined) throw unauthenticated();
      forgetCookie(request, response, places);
      return refuseSecret(request, response);
    }
    const { actor, role } = caller;
    const expiresAt = found ? new Date(Date.now() + found.endsInMs).toISOString() : null;
    response.json({
      name: actor.name,
      role: readOnly ? 'VIEWER' : role,
      readOnly,
      expiresAt,
      demo,
      version: TOLLGATE_VERSION,
    });
  }

  return {
    at(placesOf) {
      const app = createSecureApp();
      app.use((_request, response, next) => {
        response.setHeader('content-security-policy', PAGE_POLICY);
        response.setHeader('x-frame-options', 'DENY');
        response.setHeader('cache-control', 'no-store');
        next();
      });
      app.use('/session', (_request, response, next) => {
        response.once('finish', () => onAnswer(response.statusCode));
        next();
      });
      app.get('/session', (request, response) =>
        showSession(request, response, placesOf(request)).catch((error: unknown) => sendRefusal(response, error)),
      );
      app.post('/session', checkRequest, express.json({ limit: 4096 }), (request, response) =>
        logIn(request, response, placesOf(request)),
      );
      app.delete('/session', (request, response) =>
        logOut(request, response, placesOf(request)).catch((error: unknown) => sendRefusal(response, error)),
      );
      app.get(/.*/, async (request, response) => {
        const path = request.path.slice(1);
        const { base, admin } = placesOf(request);
        const file = files.file(path);
        if (file) return send(request, response, file);
        // What has an ending is a file that is not there; all else is an address of the page.
        if (/\.\w+$/.test(path) || path.startsWith('assets/'))
          return void response.status(404).type('txt').send('Not found\n');
        const page = files.page(base, admin);
        if (!page) return void response.status(503).type('txt').send(NOT_BUILT);
        return send(request, response, page);
      });
      app.use(
        '/session',
        answerErrors(rejectStranger, () => {}, onError),
      );
      app.use(answerFailures(onError));
      return app;
    },

    async callerOf(request) {
      const secret = secretOf(request);
      if (secret === undefined) return undefined;
      // The door asks for the fee, and lets pages without data through all the same.
      if (!isOfOurPage(request)) throw requestError('FORBIDDEN', ONLY_OUR_PAGE);
      return (await find(request, secret))?.caller;
    },

    createCode: sessions.createCode,
  };
}

async function sendRefusal(response: Response, error: unknown): Promise<void> {
  if (!(error instanceof GraphQLError)) throw error;
  await sendError(response, error);
}

async function send(request: Request, response: Response, file: ConsoleFile): Promise<void> {
  const { encoding, bytes } = await file.encodedFor(request.headers['accept-encoding']);
  response.setHeader('content-type', file.type);
  response.setHeader('vary', 'accept-encoding');
  response.setHeader('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (encoding) response.setHeader('content-encoding', encoding);
  response.end(bytes);
}

const ONLY_OUR_PAGE = 'the session of the console is for JSON that its own page posts';

/** @throws GraphQLError of a 403 */
function requireOurPage(request: IncomingMessage, method?: 'GET'): void {
  if (!isOfOurPage(request, method)) throw requestError('FORBIDDEN', ONLY_OUR_PAGE);
}

/** A browser sends the cookie along with what pages of other origins make it send: only what our own page sends as JSON counts. */
function isOfOurPage({ method, headers }: IncomingMessage, only: 'GET' | 'POST' = 'POST'): boolean {
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

function secretOf({ headers }: IncomingMessage): string | undefined {
  const [, secret] = new RegExp(`(?:^|;) *${COOKIE}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? '') ?? [];
  return secret;
}

/** The page and the administration that it asks, and nothing beside them: an API at the same origin, or what it is forwarded to, never sees it. */
function pathsOfCookie({ admin, base }: ConsolePlaces): string[] {
  return base.startsWith(`${admin}/`) ? [admin || '/'] : [base, admin];
}

function forgetCookie(request: Request, response: Response, places: ConsolePlaces): void {
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

function badLogin(): GraphQLError {
  const expected =
    'expected { "token": "..." } of an administrator, or { "code": "..." } of a link that is new and was not used';
  return requestError('UNAUTHENTICATED', expected);
}
