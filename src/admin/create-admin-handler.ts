import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApolloServer } from '@apollo/server';
import type { Request } from 'express';
import type { GraphQLError } from 'graphql';
import { apolloOptions, landingPage } from '../http/apollo-options.js';
import { createSecureApp } from '../http/create-secure-app.js';
import { handleGraphql } from '../http/handle-graphql.js';
import { createPlainLog } from '../observability/create-plain-log.js';
import { findMistakes, rejectMistakes } from '../options/find-mistakes.js';
import type { Answer } from '../protection/answer/answer-of.js';
import type { AdminRole } from '../rules/store/create-admin-token-store.js';
import { ADMIN_HANDLER_OPTIONS, type AdminHandlerOptions } from './admin-handler-options.js';
import { ADMIN_PATHS } from './admin-paths.js';
import { type AdminContext, createAdminContext } from './context/admin-context.js';
import type { AdminSources } from './context/admin-sources.js';
import { createAdminAuthenticator } from './context/create-admin-authenticator.js';
import { createAdminAccess } from './create-admin-access.js';
import { createAdminProtection } from './create-admin-protection.js';
import { createAdminSchema } from './create-admin-schema.js';
import { createAdminStreams } from './create-admin-streams.js';
import { createFailureLog } from './create-failure-log.js';
import { createStrangers } from './create-strangers.js';
import { handleBelow } from './handle-below.js';
import { createUsageDownloads } from './http/create-usage-downloads.js';
import { createUsageExporter } from './http/usage-export.js';
import { mountRoutes } from './mount-routes.js';
import { sendBrowsersTo } from './send-browsers-to.js';
import { sourcesOf } from './sources-of.js';

/** A handler for `node:http` that is also a middleware of Express. */
export interface AdminHandler {
  /**
   * Returns the holder of the token in an `Authorization` header. An invalid token counts against the
   * same limit of guesses as a request to this API.
   */
  decider(authorization: string, request: IncomingMessage): Promise<{ name: string; role: AdminRole }>;
  /** Rejects a request without a valid token, and charges the fee to the address that sent it. */
  rejectStranger(request: IncomingMessage, errors: readonly GraphQLError[]): Promise<Answer>;
  /**
   * Returns a handler of the console alone, to be mounted outside the path of the admin API.
   * @param admin path at which browsers find the admin API
   */
  consoleFor(admin: string): (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Creates a code that logs one browser into the console as the holder of `token`, within two
   * minutes. Undefined without `token`.
   */
  createConsoleCode(): string | undefined;
  /**
   * Handles a request.
   * @param next called for requests outside of the base path. @default 404
   */
  (request: IncomingMessage, response: ServerResponse, next?: () => void): void;
  /** Paths that the handler serves, relative to the base path. */
  readonly paths: readonly string[];
  /** Completes all streams immediately and accepts no new ones. Other requests are still served. */
  endStreams(): void;
  /** Completes all streams and releases the resources of the handler. The Tollgate stays open. */
  close(): Promise<void>;
}

/** Additional parts of a platform process. */
export interface ProcessParts extends Pick<AdminSources, 'demoTraffic' | 'schemaSource'> {
  demo?: boolean;
  /** Path of the console that browsers use. @default that of this handler */
  consolePath?: string;
}

const { CONSOLE, CONSOLE_GRAPHQL, GRAPHQL, STREAM } = ADMIN_PATHS;

/**
 * Serves the admin API of a Tollgate in your own server. The GraphQL API is at `/graphql`, its
 * subscriptions are at `/graphql/stream`, and exports of usage are at `/usage.csv` and
 * `/usage.ndjson`. All of these need authentication. The console, for browsers, is at `/console`.
 *
 * @throws TypeError that lists every mistake in the options
 * @example const tollgate = await createTollgate({ schema, identify, postgres, redis });
 * app.use('/tollgate', await createAdminHandler({ tollgate, token: process.env.TOLLGATE_ADMIN_TOKEN
 * }));
 */
export async function createAdminHandler(
  options: AdminHandlerOptions,
  { demo = false, consolePath, ...ofProcess }: ProcessParts = {},
): Promise<AdminHandler> {
  rejectMistakes('createAdminHandler', findMistakes(options, ADMIN_HANDLER_OPTIONS));
  const { tollgate, ownApi, basePath, ipv6Prefix, maxBodyBytes = 100 * 1024 } = options;
  const { production = process.env['NODE_ENV'] === 'production', onAnswer = () => {} } = options;
  const { logger = createPlainLog({ name: 'tollgate' }) } = options;
  const sources = { ...sourcesOf({ tollgate, ownApi, ipv6Prefix }), ...ofProcess };
  const { store, usage } = sources;
  const failures = createFailureLog({ logger, isReported: () => tollgate.health()?.databaseAway !== undefined });
  const onError = (error: unknown) => failures.failed(error, 'A request of the admin API failed');
  const strangers = createStrangers(options, { store, logger, onError });
  const byToken = createAdminAuthenticator({ token: options.token, store, guesses: strangers.guesses });
  const schema = createAdminSchema({ ...sources, onError });
  const protection = await createAdminProtection(schema);
  const access = createAdminAccess(options, {
    strangers,
    byToken,
    store,
    protection,
    demo,
    onError,
  });
  const { pages, guard, reject } = access;
  const contextOf = async (request: IncomingMessage) => createAdminContext(guard.callerOf(request), sources);

  const server = new ApolloServer<AdminContext>({
    schema,
    plugins: [...protection.plugins, ...landingPage(undefined)],
    documentStore: protection.documentStore,
    introspection: true, // All callers that reach the schema are authenticated.
    ...apolloOptions({ production }),
  });
  await server.start();
  const streams = createAdminStreams({ schema, context: contextOf, access, protection, onError });
  const downloads = createUsageDownloads({
    callerOf: guard.callerOf,
    exportUsage: createUsageExporter({ store, usage }),
    chargePage: protection.chargeExportPage,
    onError: (error) => failures.failed(error, 'An export failed'),
  });
  const paths = [CONSOLE, GRAPHQL, STREAM, ...downloads.map(({ path }) => path)];

  const app = createSecureApp();
  // The pages contain no data and handle their own login, so they are mounted before the
  // authentication.
  app.use(
    CONSOLE,
    pages.at(({ baseUrl }) => {
      const base = basePath === undefined ? baseUrl : basePath + CONSOLE;
      return { base, admin: base.slice(0, -CONSOLE.length) };
    }),
  );
  app.get(
    GRAPHQL,
    sendBrowsersTo(
      ({ baseUrl }) => `${consolePath ?? (basePath ?? baseUrl) + CONSOLE}${CONSOLE_GRAPHQL}`,
      (status) => onAnswer(GRAPHQL, status),
    ),
  );
  app.use(guard.handler);
  mountRoutes(app, {
    graphql: [
      { path: STREAM, handler: streams.handler },
      {
        path: GRAPHQL,
        handler: handleGraphql<AdminContext>(
          { path: GRAPHQL, server, context: ({ req }) => contextOf(req), reject },
          (status) => onAnswer(GRAPHQL, status),
        ),
      },
    ],
    downloads,
    paths,
    maxBodyBytes,
    reject,
    onAnswer,
    onError,
  });

  return Object.assign(handleBelow(basePath, app), {
    paths,
    consoleFor(admin: string) {
      const elsewhere = pages.at(({ baseUrl }) => ({ base: baseUrl, admin }));
      return (request: IncomingMessage, response: ServerResponse) =>
        elsewhere(request as Request, response as Parameters<typeof elsewhere>[1]);
    },
    createConsoleCode: () => pages.createCode(),
    async decider(authorization: string, request: IncomingMessage) {
      const { actor, role } = await byToken(authorization, strangers.addressOf(request));
      return { name: actor.name, role };
    },
    async rejectStranger(request: IncomingMessage, errors: readonly GraphQLError[]) {
      const answer = await protection.reject({ ip: strangers.addressOf(request) }, errors);
      if (answer.status === 429) strangers.onThrottled(request);
      return answer;
    },
    endStreams: () => streams.close(),
    async close() {
      streams.close();
      failures.close();
      await server.stop();
    },
  });
}
