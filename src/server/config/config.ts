import { resolve } from 'node:path';
import type { z } from 'zod';
import type { DocumentPolicy } from '../../documents/registered-documents.js';
import type { Ipv6Prefix } from '../../identity/address-of.js';
import type { Precision } from '../../model/limit-parameters.js';
import type { RegionOptions } from '../../model/region-mode.js';
import { hideSecrets } from '../../observability/hide-secrets.js';
import { COUNTER_OPTIONS, type CounterOptions } from '../../options/counter-options.js';
import { didYouMean } from '../../options/nearest-name.js';
import type { UsageRetention } from '../../usage/record/usage-retention.js';
import { type DecisionSettings, decisionsOf } from './decision-settings.js';
import { documentLimitsOf } from './document-settings.js';
import { findUnknownVariables, misplaced } from './find-unknown-variables.js';
import { readCommandLine } from './read-command-line.js';
import { type ConfiguredPool, readPools } from './read-pools.js';
import { findRegionMistakes, regionOf } from './region-settings.js';
import { optionsFrom, type SettingDeclaration } from './setting-declaration.js';
import { SETTING_FLAGS, SETTINGS, settingsSchema } from './setting-flags.js';
import { JWT_NEEDS, redisUrl, shownValue } from './settings.js';

/** Configuration of `tollgate start`. */
export interface Config extends Readonly<Required<CounterOptions>> {
  /**
   * Whether the platform is embedded: counters in memory, PostgreSQL in process under `dataDir`.
   */
  readonly embedded: boolean;
  /**
   * Whether the platform serves the sample API with its tiers and keys. It does so with `--demo`,
   * and in an embedded `tollgate start`.
   */
  readonly demo: boolean;
  /** Whether simulated callers use the sample API; never without `demo`. */
  readonly traffic: boolean;
  readonly host: string;
  readonly port: number;
  /**
   * Port for the metrics, open to every client that can connect to it; it may equal `port`. If
   * undefined, only processes on this machine can read the metrics, at `port`.
   */
  readonly metricsPort: number | undefined;
  /** Address on which a separate `metricsPort` listens. @default host */
  readonly metricsHost?: string | undefined;
  readonly redisUrl: string | undefined;
  /**
   * Pools: separate Redis servers for some of the operations or callers, in the order in which
   * their patterns are compared.
   */
  readonly pools: readonly ConfiguredPool[];
  /** Maximum age of a remembered denial by Redis, in milliseconds. 0 disables the denial memory. */
  readonly denialMemoryMs: number;
  /** Precision of the tier buckets: whether their tokens may be leased. */
  readonly tierPrecision: Precision;
  readonly leaseMs: number;
  /** Region of this instance, and the shares of all regions. */
  readonly region: RegionOptions | undefined;
  /** Handling of operations whose documents are not registered. */
  readonly documents: DocumentPolicy;
  /** Client names of agents. */
  readonly agentClients: readonly string[];
  readonly databaseUrl: string | undefined;
  readonly databaseReadUrl: string | undefined;
  /** Maximum number of connections to PostgreSQL for the admin API, reports and usage. */
  readonly postgresConnections: number;
  /** Maximum number of additional connections, for look-ups of callers and for rules. */
  readonly postgresLookupConnections: number;
  /** Absolute path of the folder with the embedded database, or the snapshot of the ruleset. */
  readonly dataDir: string;
  readonly adminToken: string | undefined;
  /** HTTP status of a denial: 429, or 200 for clients that cannot handle 429. */
  readonly denialStatus: 429 | 200;
  /**
   * Proxies whose forwarding headers are trusted: their number in front of the platform, or the
   * address blocks that contain them.
   */
  readonly trustedProxies: number | readonly string[];
  /** Prefix length in bits by which IPv6 callers are distinguished. @default 64 */
  readonly ipv6Prefix?: Ipv6Prefix | undefined;
  /** Issuer whose tokens are accepted; undefined if no tokens are accepted. */
  readonly jwt:
    | {
        readonly jwksUrl: string;
        readonly issuer: string;
        readonly audience: string;
        readonly algorithms: readonly string[];
        readonly userClaim: string;
        readonly tenantClaim?: string;
      }
    | undefined;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Maximum time in milliseconds for requests in flight to end after SIGTERM. */
  readonly shutdownTimeoutMs: number;
  /**
   * Whether the platform runs in production mode: no landing page, no introspection of the API, and
   * errors without details of the schema.
   */
  readonly production: boolean;
  /** Fee in tokens for a request that has no price, or that can never be admitted. */
  readonly fee: number;
  /** Recorded usage, and its retention in days; false records nothing. */
  readonly usage:
    | false
    | {
        readonly flushMs: number;
        readonly minCallerOperations: number;
        readonly eventsPerSecond: number;
        readonly callerEventsPerMinute: number;
        readonly decisionsPerSecond: number;
        readonly keepDeniedDocuments: boolean;
        readonly retention: Required<UsageRetention>;
      };
  /** Maximum number of operations in a batch; 0 rejects batches. */
  readonly maxBatchSize: number;
  /** Origins whose pages may read responses. */
  readonly corsOrigins: readonly string[];
  /** Maximum time in milliseconds for a request to arrive. */
  readonly requestTimeoutMs: number;
  /** Maximum size of a request body in bytes, after inflation. */
  readonly maxBodyBytes: number;
  /** Settings of the decision service. Undefined: the platform does not serve decisions. */
  readonly decisions?: DecisionSettings | undefined;
  /**
   * Variables that begin with `TOLLGATE_` and are not settings. The platform logs their names.
   * @default none
   */
  readonly unknownVariables?: readonly string[];
  /** Limits of a document that differ from the defaults. */
  readonly documentLimits: {
    readonly maxBytes?: number;
    readonly maxTokens?: number;
    readonly maxDepth?: number;
    readonly maxAliases?: number;
    readonly maxDirectives?: number;
    readonly maxDefinitions?: number;
    readonly maxComparisons?: number;
  };
}

/**
 * A configuration that cannot be used. It lists every mistake with the name of the setting, the
 * expected value and the actual value.
 */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `Configuration: ${problems.length} ${problems.length === 1 ? 'mistake' : 'mistakes'}\n  ${problems.join('\n  ')}`,
    );
    this.name = 'ConfigError';
  }
}

interface ConfigSources {
  env?: NodeJS.ProcessEnv;
  args?: string[];
}

/**
 * Defaults that differ between the commands that use these settings. Some other defaults depend on
 * them.
 */
export interface ProgramDefaults {
  /**
   * Condition for the sample API. `EMBEDDED`: the command serves it with `--demo`, or if no Redis
   * and PostgreSQL are configured. `ON_REQUEST`: only with `--demo`.
   */
  sample: 'EMBEDDED' | 'ON_REQUEST' | 'NEVER';
  /** Default log level if no Redis and PostgreSQL are configured. */
  logLevel: Config['logLevel'];
}

/**
 * Reads the environment and the flags of `tollgate start`. An empty variable counts as not set.
 * Throws a `ConfigError` that lists every mistake; its message contains no secret.
 */
export function loadConfig(sources: ConfigSources = {}): Config {
  return readConfig(sources, { sample: 'EMBEDDED', logLevel: 'warn' });
}

/**
 * Reads the settings of `tollgate start` for `startServer`, which never serves the sample API.
 * Production mode is on unless `TOLLGATE_PRODUCTION` is false.
 * @throws ConfigError that lists every mistake
 */
export function loadServerConfig(sources: ConfigSources = {}): Config {
  return readConfig(sources, { sample: 'NEVER', logLevel: 'warn' });
}

/** Reads the settings of `tollgate start` for any command that uses them. */
export function readConfig(sources: ConfigSources, defaults: ProgramDefaults): Config {
  const { env = process.env } = sources;
  const problems: string[] = [];
  const given = readGiven(sources, problems);
  const { input, shownAs } = given;
  const result = settingsSchema.safeParse(input);
  for (const issue of result.error?.issues ?? []) {
    const variable = String(issue.path[0]);
    const shown = shownAs[variable] ?? variable;
    const meant = issue.code === 'invalid_value' ? didYouMean(input[variable]!, issue.values.map(String)) : '';
    problems.push(`${shown}: ${issue.message}, got ${shownValue(shown, input[variable])}${meant}`);
  }
  problems.push(...findMissing(given, result.data), ...findRegionMistakes(given, result.data));
  const pools = readPools(
    {
      patterns: input['TOLLGATE_POOLS'],
      shownAs: shownAs['TOLLGATE_POOLS'] ?? 'TOLLGATE_POOLS',
      env,
      redisUrl: input['REDIS_URL'],
      redisUrlShownAs: shownAs['REDIS_URL'] ?? (given.flags['pools'] === undefined ? 'REDIS_URL' : '--redis-url'),
      isRedisUrl: (text) => redisUrl.safeParse(text).success,
    },
    problems,
  );
  if (defaults.sample === 'NEVER' && result.data?.TOLLGATE_DEMO) {
    problems.push(
      `${shownAs['TOLLGATE_DEMO']}: expected false or unset, got true. startServer serves a given API; use tollgate start for the sample API`,
    );
  }
  const unknown = findUnknownVariables(env);
  problems.push(...unknown.mistakes);
  if (!result.success || problems.length > 0) throw new ConfigError(problems);

  return configOf(result.data, {
    pools,
    unknownVariables: unknown.others,
    defaults,
    isProduction: env['NODE_ENV'] === 'production',
  });
}

interface GivenSettings {
  readonly flags: Readonly<Record<string, string>>;
  /** Texts of the settings that are set, by variable. */
  readonly input: Readonly<Record<string, string>>;
  /** Name by which the user set each setting: its variable or its flag. */
  readonly shownAs: Readonly<Record<string, string>>;
}

function readGiven({ env = process.env, args = [] }: ConfigSources, problems: string[]): GivenSettings {
  const flags = readFlags(args, problems);
  const input: Record<string, string> = {};
  const shownAs: Record<string, string> = {};
  for (const [variable, { flag }] of Object.entries<SettingDeclaration>(SETTINGS)) {
    const fromFlag = flag === undefined ? undefined : flags[flag];
    const value = fromFlag ?? env[variable];
    if (value === undefined || value === '') continue;
    input[variable] = value;
    shownAs[variable] = fromFlag === undefined ? variable : `--${flag}`;
  }
  return { flags, input, shownAs };
}

/** Finds settings that require another setting that is missing. */
function* findMissing({ input, shownAs }: GivenSettings, values: SettingValues | undefined): Generator<string> {
  /**
   * Returns the name of the missing setting. It is a flag if the setting that requires it was given
   * as a flag, otherwise a variable.
   */
  const missingRequirement = (present: string, absent: string, expected = 'required') => {
    const { flag } = SETTINGS[absent as keyof typeof SETTINGS] as SettingDeclaration;
    const isTyped = flag !== undefined && shownAs[present] !== present;
    return `${isTyped ? `--${flag}` : absent}: ${expected} when ${shownAs[present]} is set`;
  };
  const servers = ['REDIS_URL', 'DATABASE_URL'] as const;
  const present = servers.find((variable) => input[variable] !== undefined);
  const absent = servers.find((variable) => input[variable] === undefined);
  if (present !== undefined && absent !== undefined) {
    yield `${missingRequirement(present, absent)}; set both, or neither to run embedded`;
  }
  if (input['DATABASE_READ_URL'] !== undefined && input['DATABASE_URL'] === undefined) {
    yield missingRequirement('DATABASE_READ_URL', 'DATABASE_URL');
  }
  const metricsPort = input['TOLLGATE_METRICS_PORT'];
  const isShared = values !== undefined && values.TOLLGATE_METRICS_PORT === values.PORT;
  if (input['TOLLGATE_METRICS_HOST'] !== undefined && (metricsPort === undefined || isShared)) {
    const got = metricsPort === undefined ? '' : `, got ${metricsPort}, the port of the API`;
    yield `${missingRequirement('TOLLGATE_METRICS_HOST', 'TOLLGATE_METRICS_PORT', 'expected a separate port')}${got}`;
  }
  const jwtGiven = Object.keys(input).find((variable) => variable.startsWith('TOLLGATE_JWT_'));
  if (jwtGiven === undefined) return;
  for (const variable of JWT_NEEDS) {
    if (input[variable] === undefined) yield missingRequirement(jwtGiven, variable);
  }
}

type SettingValues = z.output<typeof settingsSchema>;

interface DerivedFrom {
  readonly pools: Config['pools'];
  readonly unknownVariables: readonly string[];
  readonly defaults: ProgramDefaults;
  /** Whether `NODE_ENV` is `production`. */
  readonly isProduction: boolean;
}

function configOf(values: SettingValues, { pools, unknownVariables, defaults, isProduction }: DerivedFrom): Config {
  const embedded = values.REDIS_URL === undefined;
  const demo = values.TOLLGATE_DEMO || (embedded && defaults.sample === 'EMBEDDED');
  return Object.freeze({
    embedded,
    demo,
    traffic: demo && values.TOLLGATE_TRAFFIC,
    // A developer who tries Tollgate on their own machine must not expose the demo keys to the
    // network.
    host: values.HOST ?? (embedded ? '127.0.0.1' : '0.0.0.0'),
    port: values.PORT,
    metricsPort: values.TOLLGATE_METRICS_PORT,
    metricsHost: values.TOLLGATE_METRICS_HOST,
    redisUrl: values.REDIS_URL,
    pools,
    ...optionsFrom(COUNTER_OPTIONS, values),
    denialMemoryMs: values.TOLLGATE_DENIAL_MEMORY_MS,
    tierPrecision: values.TOLLGATE_TIER_PRECISION,
    leaseMs: values.TOLLGATE_LEASE_MS,
    region: regionOf(values),
    documents: {
      unregistered: values.TOLLGATE_UNREGISTERED_DOCUMENTS,
      bypassTiers: values.TOLLGATE_UNREGISTERED_BYPASS_TIERS,
    },
    agentClients: values.TOLLGATE_AGENT_CLIENTS,
    databaseUrl: values.DATABASE_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    postgresConnections: values.TOLLGATE_POSTGRES_CONNECTIONS,
    postgresLookupConnections: values.TOLLGATE_POSTGRES_LOOKUP_CONNECTIONS,
    dataDir: resolve(values.TOLLGATE_DATA_DIR),
    adminToken: values.TOLLGATE_ADMIN_TOKEN,
    denialStatus: values.TOLLGATE_DENIAL_STATUS,
    trustedProxies: values.TOLLGATE_TRUSTED_PROXIES,
    ipv6Prefix: values.TOLLGATE_IPV6_PREFIX,
    jwt: jwtOf(values),
    logLevel: values.LOG_LEVEL ?? (embedded ? defaults.logLevel : 'info'),
    shutdownTimeoutMs: values.TOLLGATE_SHUTDOWN_TIMEOUT_MS,
    // Users should explore the sample API. Any other API must disclose as little as possible.
    production: values.TOLLGATE_PRODUCTION ?? (isProduction || !demo),
    fee: values.TOLLGATE_FEE,
    usage: values.TOLLGATE_USAGE && {
      flushMs: values.TOLLGATE_USAGE_FLUSH_MS,
      minCallerOperations: values.TOLLGATE_USAGE_MIN_CALLER_OPERATIONS,
      eventsPerSecond: values.TOLLGATE_EVENTS_PER_SECOND,
      callerEventsPerMinute: values.TOLLGATE_CALLER_EVENTS_PER_MINUTE,
      decisionsPerSecond: values.TOLLGATE_DECISIONS_PER_SECOND,
      keepDeniedDocuments: values.TOLLGATE_DENIED_DOCUMENTS,
      retention: {
        daysDays: values.TOLLGATE_USAGE_RETENTION_DAYS,
        hoursDays: values.TOLLGATE_USAGE_HOURS_RETENTION_DAYS,
        minutesDays: values.TOLLGATE_USAGE_MINUTES_RETENTION_DAYS,
        eventsDays: values.TOLLGATE_EVENTS_RETENTION_DAYS,
        decisionsDays: values.TOLLGATE_DECISIONS_RETENTION_DAYS,
      },
    },
    maxBatchSize: values.TOLLGATE_MAX_BATCH_SIZE,
    corsOrigins: values.TOLLGATE_CORS_ORIGINS,
    requestTimeoutMs: values.TOLLGATE_REQUEST_TIMEOUT_MS,
    maxBodyBytes: values.TOLLGATE_MAX_BODY_BYTES,
    decisions: decisionsOf(values),
    unknownVariables,
    documentLimits: documentLimitsOf(values),
  });
}

function jwtOf(values: SettingValues): Config['jwt'] {
  const { TOLLGATE_JWT_JWKS_URL: jwksUrl, TOLLGATE_JWT_ISSUER: issuer, TOLLGATE_JWT_AUDIENCE: audience } = values;
  if (jwksUrl === undefined || issuer === undefined || audience === undefined) return undefined;
  return Object.freeze({
    jwksUrl,
    issuer,
    audience,
    algorithms: values.TOLLGATE_JWT_ALGORITHMS,
    userClaim: values.TOLLGATE_JWT_USER_CLAIM,
    ...(values.TOLLGATE_JWT_TENANT_CLAIM !== undefined && { tenantClaim: values.TOLLGATE_JWT_TENANT_CLAIM }),
  });
}

/**
 * Reads the URL of the database, for commands that need no other setting, such as `tollgate
 * migrate`. Throws a `ConfigError`, which never contains the URL.
 */
export function loadDatabaseUrl({ env = process.env }: { env?: NodeJS.ProcessEnv } = {}): string {
  const result = settingsSchema.shape.DATABASE_URL.safeParse(env['DATABASE_URL'] || undefined);
  if (result.success && result.data !== undefined) return result.data;
  const expected = result.error?.issues[0]?.message ?? 'expected a URL that begins with postgres:// or postgresql://';
  const got = result.success ? `nothing${misplaced('DATABASE_URL', env)}` : '(a secret, not shown)';
  throw new ConfigError([`DATABASE_URL: ${expected}, got ${got}`]);
}

function readFlags(args: string[], problems: string[]): Record<string, string> {
  const { values, operands, asksForHelp, ...read } = readCommandLine({ flags: SETTING_FLAGS }, args);
  problems.push(...read.problems);
  if (asksForHelp) problems.push('--help: "tollgate start --help" prints the flags');
  for (const operand of operands) problems.push(`"${hideSecrets(operand)}": expected a flag, such as --port 4000`);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
