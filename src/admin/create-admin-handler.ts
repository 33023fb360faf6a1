import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApolloServer } from '@apollo/server';
import express, { type Request } from 'express';
import { GraphQLError } from 'graphql';
import { apolloOptions, landingPage } from '../http/apollo-options.js';
import { checkRequest } from '../http/check-request.js';
import { createSecureApp } from '../http/create-secure-app.js';
import { handleGraphql } from '../http/handle-graphql.js';
import { answerErrors, answerFailures, type RejectRequest } from '../http/reject-request.js';
import { createAddressOf } from '../identity/address-of.js';
import { createGuessLimit } from '../identity/guess-limit.js';
import { requestError } from '../model/errors.js';
import { createPlainLog } from '../observability/create-plain-log.js';
import { findMistakes, refuseMistakes } from '../options/check-options.js';
import { ADMIN_ROLES } from '../rules/store/create-admin-token-store.js';
import { ADMIN_HANDLER_OPTIONS, type AdminHandlerOptions } from './admin-handler-options.js';
import { createConsole } from './console/create-console.js';
import { type AdminCaller, type AdminContext, createAdminContext } from './context/admin-context.js';
import type { AdminSources } from './context/admin-sources.js';
import { createAdminAuthenticator, NO_API_KEYS, unauthenticated } from './context/create-admin-authenticator.js';
import { createGuessRecord } from './context/record-denials.js';
import { createAdminProtection } from './create-admin-protection.js';
import { createAdminSchema } from './create-admin-schema.js';
import { createAdminDoor } from './http/create-admin-door.js';
import { createGraphqlStreams } from './http/create-graphql-streams.js';
import { createUsageDownloads } from './http/create-usage-downloads.js';
import { createUsageExporter } from './http/usage-export.js';
import { sourcesOf } from './sources-of.js';

/** Streams at once of each who has not the token of the settings. */
const STREAMS_PER_TOKEN = 5;

/** A handler for `node:http`, which is a middleware of Express as it is. */
export interface AdminHandler {
  /**
   * The console alone, to be mounted elsewhere than below the administration.
   * @param admin the path at which browsers find the administration
   */
  consoleFor(admin: string): (request: IncomingMessage, response: ServerResponse) => void;
  /** A code that logs one browser into the console as the holder of `token`, within two minutes; undefined without `token`. */
  createConsoleCode(): string | undefined;
  /** @param next is called for what is not below the base path. @default 404 */
  (request: IncomingMessage, response: ServerResponse, next?: () => void): void;
  /** What there is, below the base path. */
  readonly paths: readonly string[];
  /** Completes all streams at once and takes no more; what is asked besides is still answered. */
  endStreams(): void;
  /** Completes all streams and lets go of what the handler opened. The Tollgate stays open. */
  close(): Promise<void>;
}

/** What a process of the platform has besides. */
export interface ProcessParts extends Pick<AdminSources, 'demoTraffic' | 'schemaSource'> {
  demo?: boolean;
}

const CONSOLE = '/console';
const GRAPHQL = '/graphql';
const STREAM = `${GRAPHQL}/stream`;

/**
 * Serves the administration of a Tollgate, for a server of your own: the GraphQL API at `/graphql`, its subscriptions at
 * `/graphql/stream`, exports of usage at `/usage.csv` and `/usage.ndjson`, all of them for those who have said who they are; and
 * the console, a page for people, at `/console`.
 *
 * @throws TypeError that lists every mistake in the options
 * @example
 * const tollgate = await createTollgate({ schema, identify, postgres, redis });
 * app.use('/tollgate', await createAdminHandler({ tollgate, token: process.env.TOLLGATE_ADMIN_TOKEN }));
 */
export async function createAdminHandler(
  options: AdminHandlerOptions,
  { demo = false, ...ofProcess }: ProcessParts = {},
): Promise<AdminHandler> {
  refuseMistakes('createAdminHandler', findMistakes(options, ADMIN_HANDLER_OPTIONS));
  const { tollgate, basePath, token, authorize, readOnly = false, trustedProxies = 0, ipv6Prefix } = options;
  const { maxBodyBytes = 100 * 1024 } = options;
  const { production = process.env['NODE_ENV'] === 'production', onAnswer = () => {} } = options;
  const { logger = createPlainLog({ name: 'tollgate' }) } = options;
  const sources = { ...sourcesOf({ tollgate, ownApi: options.ownApi, ipv6Prefix }), ...ofProcess };
  const { store, usage } = sources;
  const addressOf = createAddressOf(trustedProxies, { ipv6Prefix });
  const onError = (error: unknown) => logger.error({ err: error }, 'A request of the admin API failed');
  const guesses = createGuessLimit();
  const byToken = createAdminAuthenticator({ token, store, guesses });
  const schema = createAdminSchema({ ...sources, onError });
  const protection = await createAdminProtection(schema);
  const recordGuesses = createGuessRecord({
    store,
    onGuessing: (address) => logger.warn(`An address guesses tokens of administrators: ${address}`),
    onError,
  });

  async function authenticate(request: IncomingMessage): Promise<AdminCaller> {
    const caller = await identify(request);
    return readOnly ? { ...caller, role: 'VIEWER' } : caller;
  }
  async function identify(request: IncomingMessage): Promise<AdminCaller> {
    const ofHost = await byHost(request);
    if (ofHost) return ofHost;
    const { authorization } = request.headers;
    if (authorization !== undefined) return byToken(authorization, addressOf(request));
    const inSession = await pages.callerOf(request);
    if (inSession) return inSession;
    throw unauthenticated(request.headers['x-api-key'] === undefined ? undefined : NO_API_KEYS);
  }
  async function byHost(request: IncomingMessage): Promise<AdminCaller | undefined> {
    const known = await authorize?.(request);
    if (!known) return undefined;
    const { name, role } = known;
    if (typeof name !== 'string' || !/^.{1,100}$/s.test(name) || !ADMIN_ROLES.includes(role)) {
      throw new TypeError(
        'authorize: expected undefined or { name, role }, with VIEWER, OPERATOR or ADMIN as the role',
      );
    }
    if (FROM_OTHER_SITES.has(request.headers['sec-fetch-site'])) throw fromAnotherSite();
    return { actor: { name, authMethod: 'SERVER' }, role };
  }
  const rejectStranger: RejectRequest = (request, errors) => protection.reject({ ip: addressOf(request) }, errors);
  const onShutOut = (request: IncomingMessage) => recordGuesses(addressOf(request));
  const pages = createConsole({
    byToken,
    addressOf,
    guesses,
    token,
    store,
    byHost,
    rejectStranger,
    chargeLogin: protection.chargeLogin,
    onShutOut,
    readOnly,
    demo,
    onAnswer: (status) => onAnswer(CONSOLE, status),
    onError,
  });
  const door = createAdminDoor({
    authenticate,
    rejectStranger,
    onAnswer: (status) => onAnswer('', status),
    onShutOut,
    // It holds no data, and leads to the console.
    isPage: (request) => !production && isLandingPage(request),
  });
  const contextOf = async (request: IncomingMessage) => createAdminContext(door.callerOf(request), sources);
  function senderOf(request: IncomingMessage) {
    const visitor = door.visitorOf(request);
    return visitor ? { name: visitor.actor.name } : { ip: addressOf(request) };
  }
  const reject: RejectRequest = (request, errors) => protection.reject(senderOf(request), errors);

  const server = new ApolloServer<AdminContext>({
    schema,
    plugins: [...protection.plugins, ...landingPage(production ? undefined : ABOUT_ADMIN)],
    documentStore: protection.documentStore,
    introspection: true, // Who gets that far has a token.
    ...apolloOptions({ production }),
  });
  await server.start();
  const streams = createGraphqlStreams({
    schema,
    context: contextOf,
    chargeFee: (request) => protection.chargeFee(senderOf(request)),
    async recheck(request) {
      const before = door.callerOf(request);
      const { actor, role } = await authenticate(request);
      if (actor.name !== before.actor.name || role !== before.role) throw unauthenticated();
    },
    // With the token of the settings one can look at what goes on, however many others do.
    holderOf(request) {
      const { actor, isFromSettings = false } = door.callerOf(request);
      return { name: actor.name, maxStreams: isFromSettings ? 20 : STREAMS_PER_TOKEN, isApart: isFromSettings };
    },
    onError,
  });
  const downloads = createUsageDownloads({
    callerOf: door.callerOf,
    exportUsage: createUsageExporter({ store, usage }),
    chargePage: protection.chargeExportPage,
    onError: (error) => logger.error({ err: error }, 'An export failed'),
  });
  const paths = [CONSOLE, GRAPHQL, STREAM, ...downloads.map(({ path }) => path)];

  const app = createSecureApp();
  // Its pages have no data, and log in by themselves.
  app.use(
    CONSOLE,
    pages.at(({ baseUrl }) => {
      const base = basePath === undefined ? baseUrl : basePath + CONSOLE;
      return { base, admin: base.slice(0, -CONSOLE.length) };
    }),
  );
  app.use(door.handler);
  const routes = [
    { path: STREAM, handler: streams.handler },
    {
      path: GRAPHQL,
      handler: handleGraphql<AdminContext>(
        { path: GRAPHQL, server, context: ({ req }) => contextOf(req), reject },
        (status) => onAnswer(GRAPHQL, status),
      ),
    },
  ];
  for (const { path, handler } of routes) {
    const answered = (status: number) => onAnswer(path, status);
    const failed = answerErrors(reject, answered, onError);
    app.use(path, checkRequest, express.json({ limit: maxBodyBytes }), handler, failed);
  }
  for (const { path, handler } of downloads) {
    app.get(path, handler);
    // The session of the console is good for JSON alone.
    app.post(path, checkRequest, express.json({ limit: 4096 }), handler);
    app.use(
      path,
      answerErrors(reject, () => {}, onError),
    );
  }
  app.use((request, response) => {
    const all = paths.map((path) => request.baseUrl + path).join(', ');
    response.status(404).json({ errors: [{ message: `Nothing is at ${request.path}; there are ${all}` }] });
  });
  app.use(answerFailures(onError));

  function handle(request: IncomingMessage, response: ServerResponse, next?: () => void): void {
    const path = pathBelow(request, basePath);
    if (path === undefined) {
      (next ?? (() => nothingHere(response)))();
      return;
    }
    request.url = path;
    app(request as Request, response as Parameters<typeof app>[1]);
  }
  return Object.assign(handle, {
    paths,
    consoleFor(admin: string) {
      const elsewhere = pages.at(({ baseUrl }) => ({ base: baseUrl, admin }));
      return (request: IncomingMessage, response: ServerResponse) =>
        elsewhere(request as Request, response as Parameters<typeof elsewhere>[1]);
    },
    createConsoleCode: () => pages.createCode(),
    endStreams: () => streams.close(),
    async close() {
      streams.close();
      await server.stop();
    },
  });
}

/** What browsers say of requests that pages of others have made, and with which cookies may have come along. */
const FROM_OTHER_SITES: ReadonlySet<unknown> = new Set(['cross-site', 'same-site']);

function fromAnotherSite(): GraphQLError {
  return requestError('FORBIDDEN', 'expected a request of your own origin');
}

function nothingHere(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ errors: [{ message: 'Nothing is here' }] }));
}

/** The path and query of a request below the base path; undefined for what is not there. */
function pathBelow(request: IncomingMessage & { baseUrl?: string }, basePath: string | undefined): string | undefined {
  const { url = '/', baseUrl = '' } = request;
  if (basePath === undefined) return url;
  const whole = baseUrl + url;
  const below = whole.slice(basePath.length);
  if (!whole.startsWith(basePath) || !/^($|[/?])/.test(below)) return undefined;
  return below.startsWith('/') ? below : `/${below}`;
}

/** What a browser shows to people who went there by hand: no query, no data. */
/** For people who open the address in a browser. */
const ABOUT_ADMIN = `<!doctype html>
<html lang="en">
  <title>Admin API · Tollgate</title>
  <h1>The admin API of Tollgate</h1>
  <p>It takes a POST of JSON with the token of an administrator. <a href="console/">The console</a> shows what it can do.</p>
</html>
`;

function isLandingPage({ method, url, headers }: IncomingMessage): boolean {
  return method === 'GET' && url === GRAPHQL && (headers.accept ?? '').startsWith('text/html');
}
