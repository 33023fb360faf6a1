import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ApolloServer } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import { destination, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { createAdminHandler } from '../admin/create-admin-handler.js';
import { createTollgate, type Tollgate, type TollgateOptions } from '../create-tollgate.js';
import { createDemoContext, createDemoSchema } from '../demo/create-demo-schema.js';
import { demoKeys, demoRules, demoTiers } from '../demo/demo-policy.js';
import { apolloOptions, landingPage } from '../http/apollo-options.js';
import type { GraphqlEndpoint } from '../http/graphql-handler.js';
import { createAddressOf } from '../identity/address.js';
import { createIdentifier } from '../identity/identify-request.js';
import { createTokenVerifier } from '../identity/json-web-token.js';
import type { Subject } from '../model/subject.js';
import { createLog } from '../observability/create-log.js';
import type { Db } from '../postgres/db.js';
import { makePrivate } from '../postgres/private-folder.js';
import type { BatchPlace } from '../protection/batch.js';
import type { SubjectCache } from '../rules/live/subject-cache.js';
import { hashApiKey } from '../rules/store/api-keys.js';
import type { RulesStore } from '../rules/store/rules-store.js';
import { type Config, loadConfig } from './config/config.js';
import { createApp } from './http/create-app.js';
import { type Listening, listen } from './http/listen.js';
import { outliveAbandonedErrors } from './outlive-abandoned-errors.js';
import { createServerMetrics } from './server-metrics.js';

/** What a resolver of the protected API is given. */
interface ApiContext extends ReturnType<typeof createDemoContext> {
  subject: Subject;
  clientGone: AbortSignal;
  batchPlace?: BatchPlace;
}

interface Server {
  port: number;
  adminToken: string;
  /** Lets requests in flight end, then closes everything. */
  stop(): Promise<void>;
}

/** `tollgate start`: runs until SIGTERM or SIGINT and resolves to the exit status. A second signal ends it at once. */
export async function startCommand(args: string[]): Promise<number> {
  const config = loadConfig({ args });
  // Standard output is for people: what it prints first is what one pastes. Logs go beside it.
  const log = createLog({ level: config.logLevel }, destination({ dest: 2, sync: false }));
  outliveAbandonedErrors(log);
  const server = await startServer(config, log);
  process.stdout.write(banner(config, server));
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => process.exit(1));
  log.info({ signal }, 'Stopping: requests in flight may end');
  await server.stop();
  return 0;
}

/** Composes the platform: configuration -> database, limiter, APIs -> HTTP. */
async function startServer(config: Config, log: Logger): Promise<Server> {
  const closers: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  keepPrivate(config.dataDir, log);
  try {
    const db = await openDatabase(config);
    closers.push(() => db.close());
    const registry = new Registry();
    const metrics = createServerMetrics(registry);
    const schema = createDemoSchema();
    const tollgate = await protect(config, {
      schema,
      identify: ({ contextValue }) => contextValue.subject,
      abortSignal: ({ clientGone }) => clientGone,
      batchPlace: ({ batchPlace }) => batchPlace,
      fee: config.fee,
      usage: config.usage,
      documentLimits: config.documentLimits,
      postgres: db,
      // Embedded, the database is never away.
      ...(!config.embedded && { snapshotPath: join(config.dataDir, 'ruleset.json') }),
      metrics: registry,
      ...(config.redisUrl !== undefined && { redis: config.redisUrl }),
      pools: config.pools.map(({ redisUrl, ...pool }) => ({ ...pool, redis: redisUrl })),
      deadlineMs: config.redisDeadlineMs,
      instances: config.instances,
      ...(config.demo && {
        tiers: demoTiers,
        rules: demoRules,
        mayReportCost: () => true,
        // The sample API is there to be explored: a tool that reads its schema would empty the free bucket.
        cost: { introspection: INTROSPECTION_PRICE },
      }),
      denialStatus: config.denialStatus,
      logger: log,
    });
    closers.push(() => tollgate.close());
    const store = tollgate.store as RulesStore;
    if (config.demo && !tollgate.health()?.databaseAway) await addDemoSubjects(store);

    const adminToken = config.adminToken ?? randomBytes(24).toString('base64url');
    const admin = await createAdminHandler({
      tollgate,
      token: adminToken,
      trustedProxies: config.trustedProxies,
      maxBodyBytes: config.maxBodyBytes,
      production: config.production,
      onAnswer: (path, status) => metrics.countAnswer(`/admin${path}`, status),
      logger: log,
    });
    closers.push(() => admin.close());
    const endpoints = config.demo ? [await apiEndpoint(schema, tollgate, config)] : [];
    for (const { server } of endpoints) closers.push(() => server.stop());

    let listening: Listening | undefined;
    const handler = createApp({
      endpoints,
      mounts: [{ path: '/admin', handler: admin, paths: admin.paths }],
      metrics,
      degradedBecause: () => tollgate.problems(),
      notReadyBecause: () => (listening === undefined || listening.draining ? 'stopping' : undefined),
      onError: (error) => log.error({ err: error }, 'A request failed'),
      maxBodyBytes: config.maxBodyBytes,
    });
    listening = await listenOn(config, handler);
    return {
      port: listening.port,
      adminToken,
      async stop() {
        admin.endStreams();
        await listening.stop(config.shutdownTimeoutMs);
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** What this process writes is for its own user; what an earlier version left open to others is closed. */
function keepPrivate(folder: string, log: Logger): void {
  process.umask(0o077);
  const { wasOpen, corrected, failed } = makePrivate(folder);
  if (wasOpen && corrected > 0)
    log.warn({ folder, corrected }, 'Other users of this machine could read the data: now they cannot');
  if (failed.length > 0) {
    log.error(
      { folder, failed: failed.slice(0, 3) },
      'Other users of this machine may read the data: its owner is another',
    );
  }
}

async function openDatabase(config: Config): Promise<Db> {
  if (config.databaseUrl === undefined) {
    const { createPgliteDb } = await import('../postgres/pglite-db.js');
    return createPgliteDb({ folder: join(config.dataDir, 'postgres') });
  }
  const { createPgDb } = await import('../postgres/pg-db.js');
  return createPgDb({ url: config.databaseUrl });
}

/** Names the database that does not let the platform start, without its credentials. */
async function protect(config: Config, options: TollgateOptions<ApiContext>): Promise<Tollgate<ApiContext>> {
  try {
    return await createTollgate<ApiContext>(options);
  } catch (error) {
    if (config.databaseUrl === undefined) throw error;
    const { hostname, port, pathname } = new URL(config.databaseUrl);
    throw new StartError(`PostgreSQL at ${hostname}:${port || 5432}${pathname}: ${messageOf(error)}`, { cause: error });
  }
}

async function listenOn(
  { host, port, requestTimeoutMs }: Config,
  handler: Parameters<typeof listen>[0]['handler'],
): Promise<Listening> {
  try {
    return await listen({ handler, host, port, requestTimeoutMs });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') throw new StartError(`Port ${port} is in use: choose another with PORT or --port`);
    throw new StartError(`Cannot listen on ${host}:${port}: ${messageOf(error)}`, { cause: error });
  }
}

/** The sample API behind the plugin. */
async function apiEndpoint(
  schema: GraphQLSchema,
  tollgate: Tollgate<ApiContext>,
  config: Config,
): Promise<GraphqlEndpoint<ApiContext>> {
  const addressOf = createAddressOf(config.trustedProxies);
  const identify = createIdentifier({
    subjects: tollgate.subjects as SubjectCache,
    addressOf,
    verifyToken: config.jwt && createTokenVerifier(config.jwt),
  });
  const server = new ApolloServer<ApiContext>({
    schema,
    plugins: [tollgate.plugin(), ...landingPage(config)],
    documentStore: tollgate.documentStore,
    introspection: !config.production,
    ...apolloOptions(config),
  });
  await server.start();
  return {
    path: '/graphql',
    server,
    maxBatchSize: config.maxBatchSize,
    corsOrigins: config.corsOrigins,
    async chargeFee(request) {
      // A bad credential is nobody's: its sender pays as the address he has.
      const anonymous = () => {
        const ip = addressOf(request);
        return ip === undefined ? {} : { ip };
      };
      return tollgate.chargeFee(await identify(request).catch(anonymous));
    },
    async context({ req, res }) {
      const gone = new AbortController();
      res.once('close', () => {
        if (!res.writableFinished) gone.abort();
      });
      const subject = await identify(req);
      return { ...createDemoContext(), subject, clientGone: gone.signal };
    },
  };
}

/** The callers of the sample API, with keys that everybody may know. */
async function addDemoSubjects(store: RulesStore): Promise<void> {
  const actor = { name: 'tollgate', authMethod: 'SYSTEM' as const };
  for (const { key, subject } of demoKeys) {
    if (await store.findSubjectByApiKeyHash(hashApiKey(key))) continue;
    const { user, tenant, tier } = subject;
    const who = { user, ...(tenant !== undefined && { tenant }) };
    await store.upsertSubject({ ...who, tier }, actor);
    await store.createApiKey({ ...who, name: 'Sample API', known: { prefix: key, secret: key } }, actor);
  }
}

/** Of each `__schema` and `__type` that is asked for of the sample API. */
const INTROSPECTION_PRICE = 10;

/** A reason not to start that the user can do something about: told without a stack. */
class StartError extends Error {
  readonly isForUser = true;
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** What the platform prints first: mode, addresses, keys, and one line to paste. */
function banner(config: Config, { port, adminToken }: Server): string {
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.host) ? 'localhost' : config.host;
  const url = `http://${host}:${port}`;
  const mode = config.embedded
    ? `embedded: counters in memory, PostgreSQL in process under ${config.dataDir}`
    : `on Redis and PostgreSQL${config.demo ? ', with the sample API' : ''}`;
  const lines = [`Tollgate is ready, ${mode}`, ''];
  if (config.demo) lines.push(`  API      ${url}/graphql`, '  keys     demo-free, demo-pro (header x-api-key)');
  lines.push(`  admin    ${url}/admin/graphql`);
  if (adminToken === undefined)
    lines.push('  token    none: the admin API answers 401 until TOLLGATE_ADMIN_TOKEN is set');
  else if (config.adminToken === undefined) lines.push(`  token    ${adminToken} (header Authorization: Bearer)`);
  lines.push(`  health   ${url}/healthz  ${url}/readyz  ${url}/metrics`);
  if (config.demo) {
    const query = '{ countries(first: 20) { name borders { name } } }';
    lines.push(
      '',
      'Try it:',
      '',
      `  curl -s ${url}/graphql -H 'content-type: application/json' -H 'x-api-key: demo-free' -d '{"query":"${query}"}'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
