import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import { destination, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { type AdminContext, createAdminContext } from '../admin/admin-context.js';
import { createAdminAuthenticator } from '../admin/authenticate-admin.js';
import { createAdminSchema } from '../admin/create-admin-schema.js';
import { type AdminProtection, createAdminProtection } from '../admin/protect-admin.js';
import { createGuessRecord } from '../admin/record-guesses.js';
import type { SimulateRule } from '../admin/rules/simulation-types.js';
import { createUsageExporter } from '../admin/usage/usage-export.js';
import { createTollgate, type Tollgate, type TollgateOptions } from '../create-tollgate.js';
import { createDemoContext, createDemoSchema } from '../demo/create-demo-schema.js';
import { demoKeys, demoRules, demoTiers } from '../demo/demo-policy.js';
import { countedAddress, createAddressOf } from '../identity/address.js';
import { createIdentifier } from '../identity/identify-request.js';
import { createTokenVerifier } from '../identity/json-web-token.js';
import { connect } from '../limiter/redis/connect.js';
import type { Subject } from '../model/subject.js';
import { createLog } from '../observability/create-log.js';
import { createLiveTraffic, type LiveTraffic } from '../observability/live/live-traffic.js';
import type { Db } from '../postgres/db.js';
import { makePrivate } from '../postgres/private-folder.js';
import type { BatchPlace } from '../protection/batch.js';
import type { SubjectCache } from '../rules/live/subject-cache.js';
import { hashApiKey } from '../rules/store/api-keys.js';
import type { RulesStore } from '../rules/store/rules-store.js';
import { createUsageReader, type UsageReader } from '../usage/query/usage-reader.js';
import { type Config, loadConfig } from './config/config.js';
import { type AdminDoor, createAdminDoor } from './http/admin-door.js';
import { createApp } from './http/create-app.js';
import type { GraphqlEndpoint } from './http/graphql-handler.js';
import { createGraphqlStreams, type GraphqlStreams } from './http/graphql-stream.js';
import { hideDetails } from './http/http-error.js';
import { type Listening, listen } from './http/listen.js';
import { createUsageDownloads } from './http/usage-download.js';
import { createServerMetrics, type ServerMetrics } from './server-metrics.js';

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
    const live = await watchTraffic(config);
    closers.push(() => live.close());
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
      ...live.observer,
      ...(config.redisUrl !== undefined && { redis: config.redisUrl }),
      pools: config.pools.map(({ redisUrl, ...pool }) => ({ ...pool, redis: redisUrl })),
      deadlineMs: config.redisDeadlineMs,
      instances: config.instances,
      ...(config.demo && {
        tiers: demoTiers,
        rules: demoRules,
        mayReportCost: () => true,
        // The sample API is there to be explored: a tool that reads its schema would empty the free bucket.
        cost: { introspection: 'exempt' as const },
      }),
      denialStatus: config.denialStatus,
      logger: log,
    });
    closers.push(() => tollgate.close());
    const store = tollgate.store as RulesStore;
    if (config.demo && !tollgate.health()?.databaseAway) await addDemoSubjects(store);

    const adminToken = config.adminToken ?? randomBytes(24).toString('base64url');
    const usage = createUsageReader(db, config.usage ? config.usage.retention : undefined);
    const { streams, door, chargeExportPage, ...admin } = await adminEndpoint(
      tollgate,
      { store, usage, live, metrics },
      adminToken,
      config,
      log,
    );
    const endpoints = [admin, ...(config.demo ? [await apiEndpoint(schema, tollgate, config)] : [])];
    for (const { server } of endpoints) closers.push(() => server.stop());

    let listening: Listening | undefined;
    const handler = createApp({
      endpoints,
      downloads: createUsageDownloads({
        callerOf: door.callerOf,
        exportUsage: createUsageExporter({ store, usage }),
        chargePage: chargeExportPage,
        onError: (error) => log.error({ err: error }, 'An export failed'),
      }),
      adminDoor: door,
      streams: [{ path: '/admin/graphql/stream', handler: streams.handler, chargeFee: admin.chargeFee }],
      metrics,
      degradedBecause: () => degradations(tollgate),
      notReadyBecause: () => (listening === undefined || listening.draining ? 'stopping' : undefined),
      onError: (error) => log.error({ err: error }, 'A request failed'),
      maxBodyBytes: config.maxBodyBytes,
    });
    listening = await listenOn(config, handler);
    return {
      port: listening.port,
      adminToken,
      async stop() {
        streams.close();
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

/** What the admin API's live numbers are made of: those of all processes that share this Redis. */
async function watchTraffic({ redisUrl }: Config): Promise<LiveTraffic> {
  const connection =
    redisUrl === undefined ? undefined : await connect(redisUrl, { commandTimeoutMs: LIVE_TIMEOUT_MS });
  const live = createLiveTraffic({ redis: connection?.client });
  return {
    ...live,
    async close() {
      await live.close();
      await connection?.close();
    },
  };
}

const LIVE_TIMEOUT_MS = 1000;

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

/** What an operator has to know though every request is answered. */
function degradations(tollgate: Tollgate<ApiContext>): string[] {
  const health = tollgate.health();
  const found: string[] = [];
  for (const { pool, state, sinceMs, reason, instances } of tollgate.engineHealth()) {
    if (state === 'CLOSED') continue;
    const since = new Date(sinceMs).toISOString();
    found.push(
      `Redis (pool ${pool}) does not answer since ${since}: ${reason}; limits are decided without it, in ${instances} shares`,
    );
  }
  if (health?.databaseAway) {
    const { sinceMs, reason } = health.databaseAway;
    found.push(`PostgreSQL is away since ${new Date(sinceMs).toISOString()}: ${reason}`);
  }
  if (health?.invalid !== undefined) {
    found.push(`the stored ruleset cannot be used, version ${health.version} stays in force: ${health.invalid}`);
  }
  return found;
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

async function adminEndpoint(
  tollgate: Tollgate<ApiContext>,
  { store, usage, live, metrics }: { store: RulesStore; usage: UsageReader; live: LiveTraffic; metrics: ServerMetrics },
  token: string,
  config: Config,
  log: Logger,
): Promise<
  GraphqlEndpoint<AdminContext> &
    Required<Pick<GraphqlEndpoint<AdminContext>, 'chargeFee'>> &
    Pick<AdminProtection, 'chargeExportPage'> & { streams: GraphqlStreams; door: AdminDoor }
> {
  const onError = (error: unknown) => log.error({ err: error }, 'A request of the admin API failed');
  const schema = createAdminSchema({
    store,
    usage,
    fieldPriceOf: (coordinate) => tollgate.analyzer.fieldPrice(coordinate),
    simulateRule: tollgate.simulateRule as SimulateRule,
    watchTraffic: live.watch,
    quotaOf: (subject) => tollgate.quota(asCounted(subject)),
    resetQuota: (subject) => tollgate.resetQuota(asCounted(subject)),
    previewOf: (operation) => tollgate.preview.previewOf({ ...operation, as: asCounted(operation.as) }),
    explainOf: tollgate.preview.explainOf,
    healthOf: () => ({
      problems: degradations(tollgate),
      rulesetVersion: tollgate.health()?.version ?? null,
    }),
    onError,
  });
  const protection = await createAdminProtection(schema);
  const addressOf = createAddressOf(config.trustedProxies);
  const recordGuesses = createGuessRecord({
    store,
    onGuessing: (address) => log.warn({ address }, 'An address guesses tokens of administrators'),
    onError,
  });
  const path = '/admin/graphql';
  const door = createAdminDoor({
    authenticate: createAdminAuthenticator({ token, store }),
    chargeStranger: async (request) => protection.chargeFee({ ip: addressOf(request) }),
    onAnswer: (status) => metrics.countAnswer('/admin', status),
    onShutOut: (request) => recordGuesses(addressOf(request)),
    // Apollo's landing page asks for a token itself.
    isPage: (request) => !config.production && isLandingPage(request, path),
  });
  const contextOf = async (request: IncomingMessage) => createAdminContext(door.callerOf(request), { store, usage });
  const server = new ApolloServer<AdminContext>({
    schema,
    plugins: [...protection.plugins, ...landingPage(config)],
    introspection: true, // Whoever gets that far has a token.
    ...apolloOptions(config),
  });
  await server.start();
  const chargeFee = async (request: IncomingMessage) => {
    const visitor = door.visitorOf(request);
    return protection.chargeFee(visitor ? { name: visitor.actor.name } : { ip: addressOf(request) });
  };
  return {
    path,
    server,
    context: ({ req }) => contextOf(req),
    streams: createGraphqlStreams({ schema, context: contextOf, chargeFee, onError }),
    chargeFee,
    chargeExportPage: protection.chargeExportPage,
    door,
  };
}

/** What a browser is shown that was sent there by hand: no query, no data. */
function isLandingPage({ method, url, headers }: IncomingMessage, path: string): boolean {
  return method === 'GET' && url === path && (headers.accept ?? '').startsWith('text/html');
}

/** An administrator writes an address as it is; requests are counted under the form that it has there. */
function asCounted(subject: Subject): Subject {
  const ip = countedAddress(subject.ip);
  return ip === undefined ? subject : { ...subject, ip };
}

const MAX_VALIDATION_ERRORS = 20;

/** What both APIs are told alike. */
function apolloOptions({ production }: Config) {
  return {
    csrfPrevention: true,
    allowBatchedHttpRequests: false, // The HTTP layer takes batches apart.
    includeStacktraceInErrorResponses: false,
    // For each of its hundred errors graphql-js would look for the name that was meant; production takes them out again.
    validationOptions: { maxErrors: MAX_VALIDATION_ERRORS, hideSuggestions: production },
    hideSchemaDetailsFromClientErrors: production,
    stopOnTerminationSignals: false,
    ...(production && { formatError: hideDetails }),
  };
}

function landingPage({ production }: Config) {
  return production ? [ApolloServerPluginLandingPageDisabled()] : [];
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
