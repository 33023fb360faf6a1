import { z } from 'zod';
import { DEFAULT_DOCUMENT_LIMITS, type DocumentLimits } from '../../documents/measure-document.js';
import { JWT_ALGORITHMS } from '../../identity/jwt-algorithms.js';
import { DENIAL_MEMORY } from '../../limiter/denials/denial-memory-option.js';
import { PRECISIONS } from '../../model/limit-parameters.js';
import { COUNTER_OPTIONS } from '../../options/counter-options.js';
import { feeOption } from '../../protection/fee-option.js';
import type { Flags } from './read-command-line.js';
import { flagsOf, type SettingDeclaration, schemaOf, settingsOf, variablesOf } from './setting-declaration.js';
import {
  documentLimit,
  flag,
  ipv6Prefix,
  LOG_LEVELS,
  listOf,
  numberOf,
  origins,
  postgresUrl,
  redisUrl,
  retentionDays,
  trustedProxies,
  urlOf,
  wholeNumber,
} from './settings.js';

const documentLimitOf = (limit: keyof DocumentLimits, flag: string, counts: string) => ({
  reads: documentLimit,
  flag,
  value: 'N',
  says: `at most, ${counts} (default ${DEFAULT_DOCUMENT_LIMITS[limit]})`,
  defaultText: String(DEFAULT_DOCUMENT_LIMITS[limit]),
  docs: `The limit on ${counts}: see [answers.md](answers.md#limits-of-a-document).`,
});

/**
 * Declarations of all settings, by variable. Variables and flags are read by them, and help and
 * docs/configuration.md are printed from them. Flags win.
 */
export const SETTINGS = {
  PORT: {
    reads: wholeNumber(1, 65_535).default(4000),
    flag: 'port',
    value: 'N',
    says: 'the port of the API and of the administration',
  },
  HOST: {
    reads: z.string().min(1).optional(),
    flag: 'host',
    value: 'ADDRESS',
    says: 'the address to listen on (default 127.0.0.1 embedded, else 0.0.0.0)',
    defaultText: '`127.0.0.1` embedded, else `0.0.0.0`',
    docs: 'The address on which the platform listens.',
  },
  TOLLGATE_METRICS_PORT: {
    reads: wholeNumber(1, 65_535).optional(),
    flag: 'metrics-port',
    value: 'N',
    says: 'a port for /metrics, open to all who reach it (default: the loopback alone, at the port of the API)',
    defaultText: 'none: `/metrics` answers the loopback alone',
    docs: 'A port of its own for `/metrics`: all who reach the port can read the metrics. With the number of `PORT`, all who reach the API can read them. See [observability.md](observability.md#metrics).',
  },
  TOLLGATE_METRICS_HOST: {
    reads: z.string().min(1).optional(),
    flag: 'metrics-host',
    value: 'ADDRESS',
    says: 'the address on which that port listens (default: that of --host)',
    defaultText: 'that of `HOST`',
    docs: 'The address on which the port of its own for `/metrics` listens. Choose one that Prometheus alone reaches, for example.',
  },
  REDIS_URL: {
    reads: redisUrl.optional(),
    flag: 'redis-url',
    value: 'URL',
    says: 'where the counters are: redis://, rediss://, redis-cluster:// or redis-sentinel://',
    docs: 'Where the counters are: `redis://`, `rediss://`, `redis-cluster://a,b,c` or `redis-sentinel://a,b,c/name`. A number after `redis://host:port/` selects the database. A start ends if that database does not exist, or if the user may not `SELECT` it. `?family=0` resolves host names to IPv4 and IPv6. User and password are percent-encoded: see [limits.md](limits.md).',
  },
  DATABASE_URL: {
    reads: postgresUrl.optional(),
    flag: 'database-url',
    value: 'URL',
    says: 'where tiers, rules, callers and usage are: postgres://; set both or neither',
    docs: 'Where tiers, rules, callers and usage are: `postgres://user:password@host:5432/database`. User and password are percent-encoded: `@` is `%40`, `/` is `%2F`, `?` is `%3F`, `#` is `%23` and `%` is `%25`. Set both `REDIS_URL` and `DATABASE_URL`, or neither.',
  },
  TOLLGATE_POSTGRES_CONNECTIONS: {
    reads: wholeNumber(2, 1000).default(6),
    flag: 'postgres-connections',
    value: 'N',
    says: 'connections to PostgreSQL for the administration, reports and usage',
    docs: 'The maximum number of connections to PostgreSQL for the administration, reports and usage, from 2 to 1,000. Reports get half of them: see [operations.md](operations.md#connections).',
  },
  TOLLGATE_POSTGRES_LOOKUP_CONNECTIONS: {
    reads: wholeNumber(1, 1000).default(4),
    flag: 'postgres-lookup-connections',
    value: 'N',
    says: 'connections to PostgreSQL in addition, for look-ups of callers and for rules alone',
    docs: 'The maximum number of connections to PostgreSQL in addition, from 1 to 1,000. They are for look-ups of callers and for rules alone.',
  },
  TOLLGATE_POOLS: {
    reads: z.string().optional(),
    flag: 'pools',
    value: 'PATTERNS',
    says: 'which operations or callers have a Redis of their own, at REDIS_URL_<POOL>',
    docs: 'Which operations or callers have a Redis of their own: see [below](#pools).',
  },
  ...settingsOf(COUNTER_OPTIONS),
  TOLLGATE_DENIAL_MEMORY_MS: {
    reads: numberOf(DENIAL_MEMORY.maxAgeMs),
    flag: 'denial-memory-ms',
    value: 'N',
    says: 'for so long a caller is denied from memory whom Redis has denied; 0: never',
    docs: 'For how many milliseconds a caller whom Redis has denied is denied from memory. So a flood of requests costs Redis next to nothing. The platform may notice a refund by another instance that much later: see [limits.md](limits.md#callers-who-are-denied-again-and-again). With 0, the platform always asks Redis.',
  },
  TOLLGATE_TIER_PRECISION: {
    reads: z.enum(PRECISIONS, `expected ${PRECISIONS.join(' or ')}`).default('EXACT'),
    flag: 'tier-precision',
    value: 'EXACT|LEASED',
    says: 'whether instances may take tokens of tiers ahead: see docs/scale.md',
    docs: 'With `LEASED`, instances may take tokens of tiers ahead, and then decide without Redis: see [scale.md](scale.md).',
  },
  TOLLGATE_DEMO: {
    reads: flag.default(false),
    flag: 'demo',
    says: 'the sample API with its tiers and keys, on servers too',
    docs: 'Serves the sample API with its tiers and keys on real servers. The embedded platform always serves it.',
  },
  TOLLGATE_TRAFFIC: {
    reads: flag.default(true),
    flag: 'traffic',
    says: 'whether made-up callers ask the sample API, where it is served; --no-traffic: none do',
    docs: 'Whether a few made-up callers ask the sample API, where it is served: see [operations.md](operations.md#made-up-callers).',
  },
  TOLLGATE_DATA_DIR: {
    reads: z.string().min(1).default('.tollgate'),
    flag: 'data-dir',
    value: 'FOLDER',
    says: 'the embedded database, and the snapshot of the ruleset',
    docs: 'The folder of the embedded database. On servers it has the snapshot of the last good ruleset. The platform writes to no other folder. Each start closes the folder to all users but its own. Give the platform a folder of its own: a folder that has other files stays open, and so do these files. One process alone can use the embedded database. A second process is refused, from another container too. After a container was killed, the next one may wait ten seconds until it sees that the first is gone.',
  },
  TOLLGATE_ADMIN_TOKEN: {
    reads: z.string().min(16, 'expected 16 characters or more').optional(),
    says: 'the token of the first administrator, 16 characters or more; no flag, as the list of processes would show it',
    defaultText: 'embedded, or with `--demo`: a new one, printed at each start',
    docs: 'The token of the first administrator, for `Authorization: Bearer` at `/admin/graphql`. It has 16 characters or more. It has no flag, as the list of processes would show it. Without it, outside demo mode, the admin API takes only tokens that an administrator has made (`adminTokenCreate`).',
  },
  TOLLGATE_DENIAL_STATUS: {
    reads: z
      .enum(['429', '200'], 'expected 429 or 200')
      .transform((text): 429 | 200 => (text === '429' ? 429 : 200))
      .default(429),
    flag: 'denial-status',
    value: '429|200',
    says: 'the status of a denial',
    docs: 'The HTTP status of a denial. 200 is for clients that cannot handle a 429.',
  },
  TOLLGATE_SHUTDOWN_TIMEOUT_MS: {
    reads: wholeNumber(1, 600_000).default(10_000),
    flag: 'shutdown-timeout-ms',
    value: 'N',
    says: 'how long requests in flight may take to end after SIGTERM',
    docs: 'How many milliseconds requests in flight may take to end after SIGTERM.',
  },
  TOLLGATE_TRUSTED_PROXIES: {
    reads: trustedProxies.default(0),
    flag: 'trusted-proxies',
    value: 'PROXIES',
    says: 'how many proxies stand in front, or their addresses and blocks',
    docs: 'Which proxies the platform believes about the addresses of callers. This is the number of proxies in front (`2`), or their addresses and CIDR blocks (`10.0.0.0/8,loopback`). `true` is refused, because the platform would then believe any caller.',
  },
  TOLLGATE_IPV6_PREFIX: {
    reads: ipv6Prefix.default(64),
    flag: 'ipv6-prefix',
    value: '48|56|64|128',
    says: 'bits by which IPv6 callers are told apart',
    docs: 'The number of bits by which IPv6 callers are told apart: 48, 56, 64 or 128. Providers give a customer a /56 or a /48. Hosts of one network share a /64. After a change, the counters under the old prefix are forgotten.',
  },
  TOLLGATE_JWT_JWKS_URL: {
    reads: urlOf('https', 'http').optional(),
    flag: 'jwt-jwks-url',
    value: 'URL',
    says: 'where the issuer of tokens publishes its keys',
    docs: 'Where the issuer of tokens publishes its keys. It needs `TOLLGATE_JWT_ISSUER` and `TOLLGATE_JWT_AUDIENCE`.',
  },
  TOLLGATE_JWT_ISSUER: {
    reads: z.string().min(1).optional(),
    flag: 'jwt-issuer',
    value: 'TEXT',
    says: 'what the "iss" of a token has to be',
    docs: 'What the `iss` of a token has to be.',
  },
  TOLLGATE_JWT_AUDIENCE: {
    reads: z.string().min(1).optional(),
    flag: 'jwt-audience',
    value: 'TEXT',
    says: 'what the "aud" of a token has to hold',
    docs: 'What the `aud` of a token has to hold.',
  },
  TOLLGATE_JWT_ALGORITHMS: {
    reads: z
      .string()
      .transform(listOf)
      .refine(
        (names) => names.length > 0 && names.every((name) => JWT_ALGORITHMS.includes(name)),
        `expected one or more of ${JWT_ALGORITHMS.join(',')}`,
      )
      .default(['RS256', 'ES256']),
    flag: 'jwt-algorithms',
    value: 'LIST',
    says: 'the algorithms that are taken',
    docs: 'The algorithms that are accepted, with commas between them. Algorithms with a shared secret never are.',
  },
  TOLLGATE_JWT_USER_CLAIM: {
    reads: z.string().min(1).default('sub'),
    flag: 'jwt-user-claim',
    value: 'NAME',
    says: 'the claim with the id of the user',
  },
  TOLLGATE_JWT_TENANT_CLAIM: {
    reads: z.string().min(1).optional(),
    flag: 'jwt-tenant-claim',
    value: 'NAME',
    says: 'the claim with the id of the tenant (default: tenants are not read)',
    defaultText: 'none: tenants are not read',
    docs: 'The claim with the id of the tenant.',
  },
  LOG_LEVEL: {
    reads: z.enum(LOG_LEVELS, `expected one of ${LOG_LEVELS.join(', ')}`).optional(),
    flag: 'log-level',
    value: 'LEVEL',
    says: 'fatal, error, warn, info, debug, trace or silent (default warn embedded, else info)',
    defaultText: '`warn` embedded, else `info`',
    docs: 'The lowest level that the log has: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. For what the log looks like, see [observability.md](observability.md#logs).',
  },
  TOLLGATE_PRODUCTION: {
    reads: flag.optional(),
    flag: 'production',
    says: 'no landing page, no introspection, errors that tell nothing (default: NODE_ENV=production, or no sample API)',
    defaultText: 'on with `NODE_ENV=production`, and outside demo mode',
    docs: 'No landing page, no introspection of the API, no suggestions in errors, and no details of failures.',
  },
  TOLLGATE_FEE: {
    reads: numberOf(feeOption),
    flag: 'fee',
    value: 'N',
    says: 'tokens paid by what is never priced, or can never pass',
    docs: 'The tokens that an operation pays if it is never priced, or if it can never pass: see [answers.md](answers.md#the-fee).',
  },
  TOLLGATE_USAGE: {
    reads: flag.default(true),
    flag: 'usage',
    says: 'whether usage is recorded',
    docs: 'Whether usage is recorded: see [usage.md](usage.md).',
  },
  TOLLGATE_USAGE_RETENTION_DAYS: {
    reads: retentionDays.default(400),
    flag: 'usage-retention-days',
    value: 'N',
    says: 'for how many days usage is kept by day',
  },
  TOLLGATE_USAGE_HOURS_RETENTION_DAYS: {
    reads: retentionDays.default(35),
    flag: 'usage-hours-retention-days',
    value: 'N',
    says: 'for how many days usage is kept by hour',
  },
  TOLLGATE_USAGE_MINUTES_RETENTION_DAYS: {
    reads: retentionDays.default(3),
    flag: 'usage-minutes-retention-days',
    value: 'N',
    says: 'for how many days usage is kept by minute',
  },
  TOLLGATE_EVENTS_RETENTION_DAYS: {
    reads: retentionDays.default(30),
    flag: 'events-retention-days',
    value: 'N',
    says: 'for how many days denials and other events are kept',
  },
  TOLLGATE_DECISIONS_RETENTION_DAYS: {
    reads: retentionDays.default(1),
    flag: 'decisions-retention-days',
    value: 'N',
    says: 'for how many days logged decisions are kept',
  },
  TOLLGATE_EVENTS_PER_SECOND: {
    reads: wholeNumber(0, 10_000).default(5),
    flag: 'events-per-second',
    value: 'N',
    says: 'denials and other events that each instance keeps one by one in a second, on average',
    docs: 'How many denials and other events each instance keeps one by one in a second, on average. 0 keeps none. [The totals](usage.md#what-callers-choose-is-bounded) count all of them.',
  },
  TOLLGATE_CALLER_EVENTS_PER_MINUTE: {
    reads: wholeNumber(0, 10_000).default(10),
    flag: 'caller-events-per-minute',
    value: 'N',
    says: 'of them, those of one caller by one rule in a minute',
    docs: 'How many of these events each instance keeps of one caller by one rule in a minute.',
  },
  TOLLGATE_DECISIONS_PER_SECOND: {
    reads: wholeNumber(0, 10_000).default(20),
    flag: 'decisions-per-second',
    value: 'N',
    says: 'decisions that each instance logs in a second, on average',
    docs: 'How many decisions each instance logs in a second, on average. 0 logs none.',
  },
  TOLLGATE_DENIED_DOCUMENTS: {
    reads: flag.default(true),
    flag: 'denied-documents',
    says: 'whether it is kept, without texts and numbers, what denied operations asked for',
    docs: 'Whether the platform keeps what denied operations asked for, without texts and numbers: see [usage.md](usage.md#what-denied-operations-asked-for).',
  },
  TOLLGATE_MAX_BATCH_SIZE: {
    reads: wholeNumber(0, 1000).default(0),
    flag: 'max-batch-size',
    value: 'N',
    says: 'operations in a batch (default 0: batches are refused)',
    docs: 'The maximum number of operations in a batch. 0 refuses batches.',
  },
  TOLLGATE_CORS_ORIGINS: {
    reads: origins.default([]),
    flag: 'cors-origins',
    value: 'LIST',
    says: 'origins whose pages may read answers and quota (default: none)',
    docs: 'Origins whose pages may read answers and quota, with commas between them.',
  },
  TOLLGATE_REQUEST_TIMEOUT_MS: {
    reads: wholeNumber(100, 3_600_000).default(30_000),
    flag: 'request-timeout-ms',
    value: 'N',
    says: 'how long a request may take to arrive',
    docs: 'How many milliseconds a request may take to arrive. Its headers may take 10 s at most.',
  },
  TOLLGATE_MAX_BODY_BYTES: {
    reads: wholeNumber(1, 100_000_000).default(102_400),
    flag: 'max-body-bytes',
    value: 'N',
    says: 'of the body of a request, after inflation',
    docs: 'The maximum number of bytes in the body of a request, after inflation: see [answers.md](answers.md#limits-of-a-document).',
  },
  TOLLGATE_MAX_DOCUMENT_BYTES: documentLimitOf('maxBytes', 'max-document-bytes', 'bytes of a document'),
  TOLLGATE_MAX_TOKENS: documentLimitOf('maxTokens', 'max-tokens', 'tokens of a document'),
  TOLLGATE_MAX_DEPTH: documentLimitOf('maxDepth', 'max-depth', 'how deep a document nests'),
  TOLLGATE_MAX_ALIASES: documentLimitOf('maxAliases', 'max-aliases', 'aliases of a document'),
  TOLLGATE_MAX_DIRECTIVES: documentLimitOf('maxDirectives', 'max-directives', 'directives of a document'),
  TOLLGATE_MAX_DEFINITIONS: documentLimitOf(
    'maxDefinitions',
    'max-definitions',
    'operations and fragments of a document',
  ),
  TOLLGATE_MAX_COMPARISONS: documentLimitOf(
    'maxComparisons',
    'max-comparisons',
    'comparisons that the validation of a document makes',
  ),
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

/** Flags of `tollgate start` and `tollgate doctor`. */
export const SETTING_FLAGS: Flags = flagsOf(SETTINGS);

/** Variables of pools, whose names `TOLLGATE_POOLS` defines. */
export const POOL_VARIABLES = {
  'REDIS_URL_<POOL>': {
    reads: redisUrl.optional(),
    says: 'the Redis of a pool of --pools',
    docs: 'The Redis of a pool of `TOLLGATE_POOLS`, in the form of `REDIS_URL`.',
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

/** Variables of both commands that have no flag. */
export const SETTING_VARIABLES: Readonly<Record<string, string>> = variablesOf({ ...SETTINGS, ...POOL_VARIABLES });

export const settingsSchema = schemaOf(SETTINGS);
