import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { Registry } from 'prom-client';
import { readApiPage } from '../admin/console/read-console-files.js';
import type { DemoTrafficSwitch, SchemaSource } from '../admin/context/admin-sources.js';
import { createAdminHandler } from '../admin/create-admin-handler.js';
import type { IgnoredCredentials } from '../identity/credential-of.js';
import type { Logger } from '../model/logger.js';
import { createPlainLog } from '../observability/create-plain-log.js';
import { hideSecrets } from '../observability/hide-secrets.js';
import { counterOptionsIn } from '../options/counter-options.js';
import { rejectMistakes } from '../options/find-mistakes.js';
import type { Db } from '../postgres/db.js';
import { placeOfPostgres } from '../postgres/place-of-postgres.js';
import { type Exposed, makePrivate } from '../runtime/files/make-private.js';
import { StartError } from '../runtime/start-error.js';
import { openTollgate, type PlatformTollgate, type Tollgate } from '../tollgate/create-tollgate.js';
import type { TollgateOptions } from '../tollgate/tollgate-options.js';
import type { ApiContext } from './api-context.js';
import { type Config, loadServerConfig } from './config/config.js';
import { DATA, isOwn } from './config/data-dir.js';
import { type AppOptions, createApp, type HandlerEndpoint } from './http/create-app.js';
import { createMetricsApp } from './http/create-metrics-app.js';
import { type Listening, listen } from './http/listen.js';
import { routeUpgrades } from './http/route-upgrades.js';
import { createRunningRequests } from './http/running-requests.js';
import { createServerMetrics, type ServerMetrics } from './http/server-metrics.js';
import { type OpenDecisions, openDecisions } from './open-decisions.js';
import { rejectRedisMistakes } from './reject-redis-mistakes.js';
import { serveApi } from './serve-api.js';
import { findServerMistakes, type StartServerOptions } from './start-server-options.js';

const CONSOLE = '/console';
/** Maximum time in milliseconds to settle and record interrupted requests. */
const CUT_SETTLE_MS = 1_000;

export interface RunningServer {
  port: number;
  /** Token from the settings, or a generated one. */
  adminToken: string;
  /**
   * Path of the console. Outside production it contains a code that logs in one browser within two
   * minutes.
   */
  consolePath: string;
  readonly tollgate: Tollgate<ApiContext>;
  /** Waits for the requests in flight, then closes everything. */
  stop(): Promise<void>;
}

/** An API whose resolvers run on another server, and the endpoint for it. */
export interface RemoteApi extends Pick<TollgateOptions<ApiContext>, 'mode' | 'onSettled'> {
  schema: GraphQLSchema;
  /** Source of the schema. */
  schemaSource: SchemaSource;
  /**
   * Returns the endpoint of the API, or undefined if the platform only decides. Called once, when
   * the Tollgate is open.
   */
  open(tollgate: PlatformTollgate<ApiContext>, config: Config, metrics: Registry): Promise<HandlerEndpoint | undefined>;
}

/**
 * Schema for a platform without an API. The admin API uses the tiers, rules and counters of a
 * Tollgate, and a Tollgate needs a schema.
 */
const NO_API = buildSchema('type Query { nothing: Boolean }');

/**
 * Implements `startServer` of `tollgate/server`, once its packages are loaded.
 * @throws TypeError that lists every mistake in the options
 */
export async function startServer(options: StartServerOptions = {}): Promise<RunningServer> {
  rejectMistakes('startServer', findServerMistakes(options));
  const { config = loadServerConfig() } = options;
  // Turn off the sample API: its page, keys and callers do not apply to the given API.
  return startPlatform({ ...options, config: { ...config, demo: false, traffic: false } });
}

export interface PlatformParts {
  /** Endpoint that serves the API instead of Apollo Server. */
  remoteApi?: RemoteApi;
  /** Switch of the sample API's simulated callers. */
  demoTraffic?: DemoTrafficSwitch | undefined;
}

/**
 * Starts the platform: the API, the admin API, the console, health and metrics. Closes everything
 * again if any of them cannot start.
 * @throws StartError for a problem that the user can fix, such as a port in use
 */
export async function startPlatform(
  options: StartServerOptions & { config: Config },
  { remoteApi, demoTraffic }: PlatformParts = {},
): Promise<RunningServer> {
  const {
    schema = remoteApi?.schema,
    context = () => ({}),
    config,
    logger = createPlainLog({ name: 'tollgate' }),
  } = options;
  warnOfUnknownVariables(config, logger);
  const closers: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  await rejectRedisMistakes(config);
  keepPrivate(config, logger);
  try {
    const db = await openDatabase(config);
    closers.push(() => db.close());
    const registry = new Registry();
    const metrics = await createServerMetrics(registry);
    const tollgateOptions = tollgateOptionsOf({ ...options, logger }, { schema, remoteApi, db, registry });
    // Without a configured issuer, the gateway ignores tokens, because only the upstream can check
    // them.
    const ignored = { keys: false, tokens: remoteApi !== undefined && config.jwt === undefined };
    // The gateway logs guesses itself, with entries of its file of prices.
    const tollgate = await protect(config, tollgateOptions, { ignored, logsGuesses: remoteApi === undefined });
    closers.push(() => tollgate.close());
    await options.prepare?.(tollgate);

    const adminToken = config.adminToken ?? randomBytes(24).toString('base64url');
    const admin = await createAdminHandler(
      {
        tollgate,
        ownApi: schema !== undefined,
        token: adminToken,
        trustedProxies: config.trustedProxies,
        ...(config.ipv6Prefix !== undefined && { ipv6Prefix: config.ipv6Prefix }),
        maxBodyBytes: config.maxBodyBytes,
        production: config.production,
        onAnswer: (path, status) => metrics.countAnswer(`/admin${path}`, status),
        logger,
      },
      { demo: config.demo, consolePath: CONSOLE, demoTraffic, schemaSource: remoteApi?.schemaSource },
    );
    closers.push(() => admin.close());
    const endpoints: AppOptions['endpoints'][number][] = [];
    if (remoteApi) {
      const endpoint = await remoteApi.open(tollgate, config, registry);
      if (endpoint) endpoints.push(endpoint);
    } else if (schema) {
      // The page describes the sample API, including its keys.
      const page = config.demo && !config.production ? readApiPage() : undefined;
      const endpoint = await serveApi({ schema, context }, tollgate, config, { page, logger });
      endpoints.push(endpoint);
      closers.push(() => endpoint.stop());
    }

    const { countAnswer: onAnswer } = metrics;
    const decisions = await openDecisions({ config, tollgate, db, registry, admin, onAnswer, logger });
    if (decisions) closers.push(() => decisions.close());

    const { metricsPort } = config;
    const hasMetricsPort = metricsPort !== undefined && metricsPort !== config.port;
    let listening: Listening | undefined;
    const running = createRunningRequests();
    const handler = createApp({
      endpoints,
      running,
      mounts: [
        { path: '/admin', handler: admin, paths: admin.paths },
        { path: CONSOLE, handler: admin.consoleFor('/admin'), paths: [''] },
        ...(decisions ? mountsOf(decisions) : []),
      ],
      home: `${CONSOLE}/`,
      metrics,
      metricsFor: metricsPort === undefined ? 'LOOPBACK' : hasMetricsPort ? 'NOBODY' : 'EVERYBODY',
      degradedBecause: () => tollgate.problems(),
      notReadyBecause: () => (listening === undefined || listening.draining ? 'stopping' : undefined),
      onError: (error) => logger.error({ err: error }, 'A request failed'),
      maxBodyBytes: config.maxBodyBytes,
    });
    if (hasMetricsPort) {
      const scraped = await listenForScrapes(config, metricsPort, metrics);
      closers.push(() => scraped.stop(0));
    }
    const upgrade = routeUpgrades({ endpoints, metrics });
    listening = await listenOn({ ...config, setting: 'PORT or --port' }, handler, upgrade);
    return {
      port: listening.port,
      adminToken,
      // In production, the path has no login code: it is logged, and logs must not contain
      // credentials.
      consolePath: config.production ? `${CONSOLE}/` : `${CONSOLE}/#code=${admin.createConsoleCode()}`,
      tollgate,
      async stop() {
        admin.endStreams();
        tollgate.endStreams();
        void tollgate.limiter.endWaits();
        await Promise.all(
          [listening, ...(decisions?.listeners ?? [])].map((one) => one.stop(config.shutdownTimeoutMs)),
        );
        // Wait until the interrupted requests are settled and recorded, before the parts that do
        // this are closed.
        await running.ended(CUT_SETTLE_MS);
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Returns the handlers of the decision service, by the first part of their paths. */
function mountsOf({ handler, paths }: OpenDecisions): NonNullable<AppOptions['mounts']> {
  return ['/v1', '/integrations'].map((path) => ({
    path,
    handler,
    paths: paths.filter((one) => one.startsWith(`${path}/`)).map((one) => one.slice(path.length)),
  }));
}

function warnOfUnknownVariables({ unknownVariables = [] }: Config, logger: Logger): void {
  if (unknownVariables.length === 0) return;
  logger.warn(
    `Unknown variables without effect: ${unknownVariables.join(', ')}. Variables that begin with TOLLGATE_ are settings, and this version has no such settings`,
  );
}

/** Serves the metrics at a separate port. */
function listenForScrapes(config: Config, port: number, metrics: ServerMetrics): Promise<Listening> {
  const { host, metricsHost = host } = config;
  const setting = 'TOLLGATE_METRICS_PORT or --metrics-port';
  return listenOn({ ...config, host: metricsHost, port, setting }, createMetricsApp(metrics));
}

interface TollgateParts {
  readonly schema: GraphQLSchema | undefined;
  readonly remoteApi: RemoteApi | undefined;
  readonly db: Db;
  readonly registry: Registry;
}

/** Returns the options of the Tollgate of a platform. */
function tollgateOptionsOf(
  { config, logger, ...options }: StartServerOptions & { config: Config; logger: Logger },
  { schema, remoteApi, db, registry }: TollgateParts,
): TollgateOptions<ApiContext> {
  return {
    schema: schema ?? NO_API,
    identity: {
      apiKeys: true,
      trustedProxies: config.trustedProxies,
      ...(config.ipv6Prefix !== undefined && { ipv6Prefix: config.ipv6Prefix }),
      ...(config.jwt && { jwt: config.jwt }),
    },
    abortSignal: ({ clientGone }) => clientGone,
    batchPlace: ({ batchPlace }) => batchPlace,
    fee: config.fee,
    usage: config.usage,
    documentLimits: config.documentLimits,
    postgres: db,
    // The embedded database is never unavailable.
    ...(!config.embedded && { snapshotPath: join(config.dataDir, DATA.ruleset) }),
    metrics: registry,
    ...(config.redisUrl !== undefined && { redis: config.redisUrl }),
    pools: config.pools.map(({ redisUrl, ...pool }) => ({ ...pool, redis: redisUrl })),
    ...counterOptionsIn(config),
    denialMemory: { maxAgeMs: config.denialMemoryMs },
    tierPrecision: config.tierPrecision,
    leases: { lengthMs: config.leaseMs },
    ...(config.region && { region: config.region }),
    documents: config.documents,
    agentClients: config.agentClients,
    ...(options.tiers && { tiers: options.tiers }),
    ...(options.rules && { rules: options.rules }),
    ...(schema && options.service !== undefined && { service: options.service }),
    ...(options.cost && { cost: options.cost }),
    ...(options.mayReportCost && { mayReportCost: options.mayReportCost }),
    denialStatus: config.denialStatus,
    ...(remoteApi?.mode && { mode: remoteApi.mode }),
    ...(remoteApi?.onSettled && { onSettled: remoteApi.onSettled }),
    logger,
  };
}

/**
 * Closes the data folder to other users of the machine, because an earlier version may have left it
 * open.
 */
function keepPrivate({ dataDir: folder, databaseUrl }: Config, logger: Logger): void {
  const { wasOpen, corrected, failed } = makeDataDir(folder, databaseUrl !== undefined);
  if (wasOpen && corrected > 0)
    logger.warn(`Other users of this machine had access to ${folder}: the folder is now closed to them`);
  if (failed.length > 0) {
    logger.error(
      { folder, failed: failed.slice(0, 3) },
      'Other users of this machine may read the data: this process does not own the files, so it cannot restrict access to them',
    );
  }
}

function makeDataDir(folder: string, isOnServers: boolean): Exposed {
  try {
    return makePrivate(folder, isOwn);
  } catch (error) {
    // For a folder that cannot be created on a read-only file system, Node 20 reports that it does
    // not exist.
    const reason = messageOf(error).replace('no such file or directory', 'no such folder, and it cannot be created');
    const kept = isOnServers ? 'the last valid rules' : 'the embedded database';
    throw new StartError(
      `TOLLGATE_DATA_DIR: ${folder} cannot be used: ${reason}. Set a writable folder, such as one below /tmp on a read-only system. The folder stores ${kept}`,
      { cause: error },
    );
  }
}

async function openDatabase(config: Config): Promise<Db> {
  if (config.databaseUrl === undefined) {
    const { createPgliteDb } = await import('../postgres/create-pglite-db.js');
    return createPgliteDb({ folder: join(config.dataDir, DATA.database) });
  }
  const { createPgDb } = await import('../postgres/create-pg-db.js');
  return createPgDb({
    url: config.databaseUrl,
    ...(config.databaseReadUrl !== undefined && { readUrl: config.databaseReadUrl }),
    maxConnections: config.postgresConnections,
    maxLookupConnections: config.postgresLookupConnections,
  });
}

/**
 * Opens the Tollgate. An error names the database that prevents the start, without its credentials.
 */
async function protect(
  config: Config,
  options: TollgateOptions<ApiContext>,
  { ignored, logsGuesses }: { ignored: IgnoredCredentials; logsGuesses: boolean },
): Promise<PlatformTollgate<ApiContext>> {
  try {
    return await openTollgate<ApiContext>(
      options,
      {
        subjectOf: ({ subject }) => subject,
        ignored,
        trustedProxiesName: 'TOLLGATE_TRUSTED_PROXIES or --trusted-proxies',
      },
      { logsGuesses },
    );
  } catch (error) {
    // A TypeError reports a mistake in the options, not a problem of the database.
    if (config.databaseUrl === undefined || error instanceof TypeError) throw error;
    const place = placeOfPostgres(config.databaseUrl);
    throw new StartError(hideSecrets(`DATABASE_URL: PostgreSQL cannot be used at ${place}: ${messageOf(error)}`), {
      cause: error,
    });
  }
}

async function listenOn(
  { host, port, requestTimeoutMs, setting }: Pick<Config, 'host' | 'port' | 'requestTimeoutMs'> & { setting: string },
  handler: Parameters<typeof listen>[0]['handler'],
  upgrade?: Parameters<typeof listen>[0]['upgrade'],
): Promise<Listening> {
  try {
    return await listen({ handler, upgrade, host, port, requestTimeoutMs });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') throw new StartError(`Port ${port} is in use: choose another with ${setting}`);
    throw new StartError(`Cannot listen on ${host}:${port}: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
