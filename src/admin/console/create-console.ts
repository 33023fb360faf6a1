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
import { sendGraphqlError } from './send-graphql-error.js';
import { forgetSessionCookie, secretOf } from './set-session-cookie.js';

interface ConsoleOptions extends ConsoleLoginOptions {
  /** Limit on look-ups of sessions that do not exist. */
  guesses: GuessLimit;
  /** Token of the settings. */
  token: string | undefined;
  /** Store of the sessions. */
  store: ConsoleSessionsOptions['store'];
  /** Returns the administrator that `authorize` identifies. Undefined if it identifies none. */
  byHost(request: IncomingMessage): Promise<AdminCaller | undefined>;
  /** Whether the console rejects all changes. */
  readOnly: boolean;
  /** Whether this process serves the sample API. */
  demo: boolean;
  /** Receives the status of each response about a session. It must not throw. */
  onAnswer(status: number): void;
  onError(error: unknown): void;
}

export interface Console {
  /** Creates an app that serves the pages of the console, its files and its session. */
  at(placesOf: (request: Request) => ConsolePlaces): Express;
  /**
   * Returns the caller that the cookie of a session identifies. Undefined without a cookie or an
   * open session.
   * @throws GraphQLError with status 403 for a request that a page of another origin may have sent
   */
  callerOf(request: IncomingMessage): Promise<AdminCaller | undefined>;
  /**
   * Creates a code that opens one session of the settings' token within two minutes. Undefined
   * without such a token.
   */
  createCode(): string | undefined;
}

/**
 * Creates the console: web pages that call the admin API like any other client. A login posts a
 * token, and the response sets the cookie of a session. No script can read this cookie, and no
 * other site can use it.
 */
export function createConsole(options: ConsoleOptions): Console {
  const { addressOf, guesses, token, store, byHost, rejectStranger, readOnly, demo, onAnswer, onError } = options;
  const sessions = createConsoleSessions({ store, token, onError });
  const logIn = createConsoleLogin(sessions, options);
  const sendPage = createConsolePages();

  /** Looks up the session that the secret of a cookie belongs to. */
  function find(request: IncomingMessage, secret: string) {
    return guesses.lookUp(addressOf(request), hashSecret(secret), () => sessions.find(secret));
  }

  async function logOut(request: Request, response: Response, places: ConsolePlaces): Promise<void> {
    requireOurPage(request);
    const secret = secretOf(request);
    // If this throws, the browser keeps its cookie, so that its user can try again.
    const hasEnded =
      secret === undefined ||
      (await guesses.lookUp(addressOf(request), hashSecret(secret), () => sessions.close(secret)));
    forgetSessionCookie(request, response, places);
    if (hasEnded) response.status(204).end();
    else await rejectSecret(request, response);
  }

  /**
   * Rejects an unknown secret and charges the fee, because the look-up of a made-up secret also
   * costs a database query.
   */
  async function rejectSecret(request: Request, response: Response): Promise<void> {
    await sendRejection(request, response, unauthenticated(), rejectStranger);
  }

  async function showSession(request: Request, response: Response, places: ConsolePlaces): Promise<void> {
    requireOurPage(request, 'GET');
    const secret = secretOf(request);
    const found = secret === undefined ? undefined : await find(request, secret);
    const caller = found?.caller ?? (await byHost(request));
    if (!caller) {
      // A request without a cookie only checks whether there is a session. It contains no guessed
      // secret, so no fee is charged.
      if (secret === undefined) throw unauthenticated();
      forgetSessionCookie(request, response, places);
      return rejectSecret(request, response);
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
        showSession(request, response, placesOf(request)).catch((error: unknown) => sendGraphqlError(response, error)),
      );
      app.post('/session', checkRequest, express.json({ limit: 4096 }), (request, response) =>
        logIn(request, response, placesOf(request)),
      );
      app.delete('/session', (request, response) =>
        logOut(request, response, placesOf(request)).catch((error: unknown) => sendGraphqlError(response, error)),
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
      // `AdminGuard` charges the fee for this error.
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
