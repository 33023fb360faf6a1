import type { IncomingMessage } from 'node:http';
import express, { type Express, type Request, type Response } from 'express';
import { checkRequest } from '../../http/check-request.js';
import { createSecureApp } from '../../http/create-secure-app.js';
import { PAGE_POLICY } from '../../http/page-policy.js';
import { answerErrors, answerFailures, sendRejection } from '../../http/reject-request.js';
import type { GuessLimit } from '../../identity/guess-limit.js';
import { hashSecret } from '../../rules/store/hash-secret.js';
import { TOLLGATE_VERSION } from '../../runtime/packages/tollgate-version.js';
import type { AdminCaller } from '../context/admin-context.js';
import { unauthenticated } from '../context/create-admin-authenticator.js';
import type { ConsolePlaces } from './console-places.js';
import { type ConsoleLoginOptions, createConsoleLogin } from './create-console-login.js';
import { createConsolePages } from './create-console-pages.js';
import { type ConsoleSessionsOptions, createConsoleSessions } from './create-console-sessions.js';
import { isOfOurPage, notOfOurPage, requireOurPage } from './is-of-our-page.js';
import { sendRefusal } from './send-refusal.js';
import { forgetSessionCookie, secretOf } from './set-session-cookie.js';

interface ConsoleOptions extends ConsoleLoginOptions {
  /** Bounds the look-ups of sessions that do not exist. */
  guesses: GuessLimit;
  /** The token of the settings. */
  token: string | undefined;
  /** Where the sessions are. */
  store: ConsoleSessionsOptions['store'];
  /** Who a session of the host belongs to; undefined without one. */
  byHost(request: IncomingMessage): Promise<AdminCaller | undefined>;
  /** Nothing can be changed here. */
  readOnly: boolean;
  /** The sample API is served. */
  demo: boolean;
  /** Called with the status of each answer about a session; must not throw. */
  onAnswer(status: number): void;
  onError(error: unknown): void;
}

export interface Console {
  /** Serves the pages of the console, its files and its session. */
  at(placesOf: (request: Request) => ConsolePlaces): Express;
  /** Who a request comes from by the cookie of a session; undefined without one. Throws for what a page of another origin may have sent. */
  callerOf(request: IncomingMessage): Promise<AdminCaller | undefined>;
  /** Opens one session of the settings' token, within two minutes; undefined without one. */
  createCode(): string | undefined;
}

/**
 * The console: a page for people, which asks the admin API as any other client does. A token is posted once and answered with the
 * cookie of a session, which no script can read and no other site can use.
 */
export function createConsole(options: ConsoleOptions): Console {
  const { addressOf, guesses, token, store, byHost, rejectStranger, readOnly, demo, onAnswer, onError } = options;
  const sessions = createConsoleSessions({ store, token, onError });
  const logIn = createConsoleLogin(sessions, options);
  const sendPage = createConsolePages();

  /** Whose session the secret of a cookie is. */
  function find(request: IncomingMessage, secret: string) {
    return guesses.lookUp(addressOf(request), hashSecret(secret), () => sessions.find(secret));
  }

  async function logOut(request: Request, response: Response, places: ConsolePlaces): Promise<void> {
    requireOurPage(request);
    const secret = secretOf(request);
    // Where that fails the browser keeps its cookie, so that its user can try again.
    const hasEnded =
      secret === undefined ||
      (await guesses.lookUp(addressOf(request), hashSecret(secret), () => sessions.close(secret)));
    forgetSessionCookie(request, response, places);
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
      forgetSessionCookie(request, response, places);
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
      app.use(protectPage);
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
      app.get(/.*/, (request, response) => sendPage(request, response, placesOf(request)));
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
      if (!isOfOurPage(request)) throw notOfOurPage();
      return (await find(request, secret))?.caller;
    },

    createCode: sessions.createCode,
  };
}

function protectPage(_request: Request, response: Response, next: () => void): void {
  response.setHeader('content-security-policy', PAGE_POLICY);
  response.setHeader('x-frame-options', 'DENY');
  response.setHeader('cache-control', 'no-store');
  next();
}
