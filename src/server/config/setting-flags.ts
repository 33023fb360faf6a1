import { z } from 'zod';
import { DEFAULT_DOCUMENT_LIMITS, type DocumentLimits } from '../../documents/measure-document.js';
import { JWT_ALGORITHMS } from '../../identity/jwt-algorithms.js';
import { AGENT_CLIENTS } from '../../protection/create-client-of.js';
import { feeOption } from '../../protection/fee-option.js';
import { COUNTER_SETTINGS } from './counter-settings.js';
import { DECISION_SETTINGS } from './decision-settings.js';
import { DOCUMENT_SETTINGS } from './document-settings.js';
import type { Flags } from './read-command-line.js';
import { REGION_SETTINGS } from './region-settings.js';
import { flagsOf, type SettingDeclaration, schemaOf, variablesOf } from './setting-declaration.js';
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
  description: `maximum number of ${counts} (default ${DEFAULT_DOCUMENT_LIMITS[limit]})`,
  defaultText: String(DEFAULT_DOCUMENT_LIMITS[limit]),
  docs: `The maximum number of ${counts}: see [responses.md](responses.md#limits-of-a-document).`,
});

/**
 * Declarations of all settings, by variable. Tollgate parses variables and flags with them, and
 * generates the help and docs/configuration.md from them. A flag overrides a variable.
 */
export const SETTINGS = {
  PORT: {
    reads: wholeNumber(1, 65_535).default(4000),
    flag: 'port',
    value: 'N',
    description: 'the port of the API, the admin API and the console',
  },
  HOST: {
    reads: z.string().min(1).optional(),
    flag: 'host',
    value: 'ADDRESS',
    description: 'the address to listen on (default 127.0.0.1 without REDIS_URL, else 0.0.0.0)',
    defaultText: '`127.0.0.1` if embedded, else `0.0.0.0`',
    docs: 'The address on which the platform listens.',
  },
  TOLLGATE_METRICS_PORT: {
    reads: wholeNumber(1, 65_535).optional(),
    flag: 'metrics-port',
    value: 'N',
    description:
      'a separate port for /metrics, open to all clients that reach it (default: only the loopback, at the port of the API)',
    defaultText: 'none: `/metrics` is only available on the loopback address, at the port of the API',
    docs: 'A separate port for `/metrics`. All clients that reach this port can read the metrics. If it equals `PORT`, all clients that reach the API can read the metrics. See [observability.md](observability.md#metrics).',
  },
  TOLLGATE_METRICS_HOST: {
    reads: z.string().min(1).optional(),
    flag: 'metrics-host',
    value: 'ADDRESS',
    description: 'the address of the port of --metrics-port (default: that of --host)',
    defaultText: 'the value of `HOST`',
    docs: 'The address for the separate port of `/metrics`, for example an address that only Prometheus can reach.',
  },
  REDIS_URL: {
    reads: redisUrl.optional(),
    flag: 'redis-url',
    value: 'URL',
    description: 'the Redis of the counters: redis://, rediss://, redis-cluster:// or redis-sentinel://',
    docs: 'The Redis that stores the counters: `redis://`, `rediss://`, `redis-cluster://a,b,c` or `redis-sentinel://a,b,c/name`. A number after `redis://host:port/` selects the database. The platform does not start if that database does not exist, or if the Redis user may not `SELECT` it. `?family=0` resolves host names to IPv4 and IPv6. User and password are percent-encoded: see [limits.md](limits.md#in-redis).',
  },
  DATABASE_URL: {
    reads: postgresUrl.optional(),
    flag: 'database-url',
    value: 'URL',
    description: 'the database of tiers, rules, callers and usage: postgres://; set both or neither',
    docs: 'The database of tiers, rules, callers and usage: `postgres://user:password@host:5432/database`. User and password are percent-encoded: `@` is `%40`, `/` is `%2F`, `?` is `%3F`, `#` is `%23` and `%` is `%25`. Set both `REDIS_URL` and `DATABASE_URL`, or neither.',
  },
  DATABASE_READ_URL: {
    reads: postgresUrl.optional(),
    flag: 'database-read-url',
    value: 'URL',
    description: 'a replica of the database, which answers the queries about usage: postgres://',
    docs: 'A replica (standby) of the database in `DATABASE_URL`, which answers the queries about usage. While it does not respond, the primary answers them. See [runbook.md](runbook.md#a-replica-for-reports).',
  },
  TOLLGATE_POSTGRES_CONNECTIONS: {
    reads: wholeNumber(2, 1000).default(6),
    flag: 'postgres-connections',
    value: 'N',
    description: 'maximum number of connections to PostgreSQL for the admin API, reports and usage',
    docs: 'The maximum number of connections to PostgreSQL for the admin API, reports and usage, from 2 to 1,000. Reports use at most half of them: see [runbook.md](runbook.md#connections-to-postgresql).',
  },
  TOLLGATE_POSTGRES_LOOKUP_CONNECTIONS: {
    reads: wholeNumber(1, 1000).default(4),
    flag: 'postgres-lookup-connections',
    value: 'N',
    description: 'maximum number of PostgreSQL connections for look-ups of callers and rules',
    docs: 'The maximum number of additional connections to PostgreSQL that only look up callers and rules, from 1 to 1,000.',
  },
  TOLLGATE_POOLS: {
    reads: z.string().optional(),
    flag: 'pools',
    value: 'PATTERNS',
    description: 'operations or callers with a separate Redis, at REDIS_URL_<POOL>',
    docs: 'Operations or callers with a separate Redis: see [below](#pools).',
  },
  ...COUNTER_SETTINGS,
  ...REGION_SETTINGS,
  TOLLGATE_AGENT_CLIENTS: {
    reads: z
      .string()
      .transform(listOf)
      .default([...AGENT_CLIENTS]),
    defaultText: AGENT_CLIENTS.join(','),
    flag: 'agent-clients',
    value: 'LIST',
    description: 'client names of agents, for rules with match.agents (default: mcp)',
    docs: 'The client names of agents, separated by commas, for [rules for agents](rules.md#rules-for-agents).',
  },
  ...DOCUMENT_SETTINGS,
  TOLLGATE_DEMO: {
    reads: flag.default(false),
    flag: 'demo',
    description: 'serve the sample API with its tiers and keys, even with Redis and PostgreSQL',
    docs: 'Whether a platform with Redis and PostgreSQL serves the sample API, with its tiers and keys. The embedded platform always serves the sample API.',
  },
  TOLLGATE_TRAFFIC: {
    reads: flag.default(true),
    flag: 'traffic',
    description: 'whether simulated callers send operations to the sample API; --no-traffic turns them off',
    docs: 'Whether a few simulated callers send operations to the sample API: see [runbook.md](runbook.md#simulated-callers).',
  },
  TOLLGATE_DATA_DIR: {
    reads: z.string().min(1).default('.tollgate'),
    flag: 'data-dir',
    value: 'FOLDER',
    description: 'the folder of the embedded database and of the snapshot of the ruleset',
    docs: 'The folder of the embedded database. With Redis and PostgreSQL, it contains a snapshot of the last valid tiers and rules. The platform writes to no other folder. Each start removes the access of all other operating-system users to the files of Tollgate in this folder. If the folder contains no other files, the start also removes their access to the folder itself. Only one process can use the embedded database. A second process does not start, even in another container. After a container was killed, the next container may have to wait ten seconds for the database.',
  },
  TOLLGATE_ADMIN_TOKEN: {
    reads: z.string().min(16, 'expected 16 characters or more').optional(),
    description:
      'the token of the first administrator, 16 characters or more; no flag, because the list of processes would show it',
    defaultText: 'in demo mode: a new one, printed at each start',
    docs: 'The token of the first administrator, for `Authorization: Bearer` at `/admin/graphql`, with 16 characters or more. It has no flag, because the list of processes would show the token. If it is not set outside demo mode, the admin API accepts only tokens that an administrator has created (`adminTokenCreate`).',
  },
  TOLLGATE_DENIAL_STATUS: {
    reads: z
      .enum(['429', '200'], 'expected 429 or 200')
      .transform((text): 429 | 200 => (text === '429' ? 429 : 200))
      .default(429),
    flag: 'denial-status',
    value: '429|200',
    description: 'the HTTP status of a denial',
    docs: 'The HTTP status of a denied operation. Use 200 for clients that cannot handle a 429.',
  },
  TOLLGATE_SHUTDOWN_TIMEOUT_MS: {
    reads: wholeNumber(1, 600_000).default(10_000),
    flag: 'shutdown-timeout-ms',
    value: 'N',
    description: 'time for requests in flight to end after SIGTERM',
    docs: 'The maximum time, in milliseconds, that the platform waits after SIGTERM for requests in flight to end.',
  },
  TOLLGATE_TRUSTED_PROXIES: {
    reads: trustedProxies.default(0),
    flag: 'trusted-proxies',
    value: 'PROXIES',
    description: 'the number of proxies in front, or their addresses and CIDR blocks',
    docs: 'The proxies whose `X-Forwarded-For` header determines the IP address of a caller: the number of proxies in front of the platform (`2`), or their addresses and CIDR blocks (`10.0.0.0/8,loopback`). `true` is rejected, because the platform would then trust every caller.',
  },
  TOLLGATE_IPV6_PREFIX: {
    reads: ipv6Prefix.default(64),
    flag: 'ipv6-prefix',
    value: '48|56|64|128',
    description: 'number of bits that distinguish IPv6 callers',
    docs: 'The number of address bits that distinguish IPv6 callers: 48, 56, 64 or 128. Providers usually assign a /56 or a /48 to a customer, and the hosts of one network share a /64. After a change, IPv6 callers start with new counters.',
  },
  TOLLGATE_JWT_JWKS_URL: {
    reads: urlOf('https', 'http').optional(),
    flag: 'jwt-jwks-url',
    value: 'URL',
    description: 'the URL of the keys of the token issuer',
    docs: 'The URL of the public keys (JWKS) with which the platform verifies tokens. It requires `TOLLGATE_JWT_ISSUER` and `TOLLGATE_JWT_AUDIENCE`.',
  },
  TOLLGATE_JWT_ISSUER: {
    reads: z.string().min(1).optional(),
    flag: 'jwt-issuer',
    value: 'TEXT',
    description: 'the required "iss" of a token',
    docs: 'The required `iss` of a token.',
  },
  TOLLGATE_JWT_AUDIENCE: {
    reads: z.string().min(1).optional(),
    flag: 'jwt-audience',
    value: 'TEXT',
    description: 'the value that the "aud" of a token has to contain',
    docs: 'The value that the `aud` of a token has to contain.',
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
    description: 'the accepted algorithms, with commas between them',
    docs: 'The accepted algorithms, separated by commas. Algorithms with a shared secret are never accepted.',
  },
  TOLLGATE_JWT_USER_CLAIM: {
    reads: z.string().min(1).default('sub'),
    flag: 'jwt-user-claim',
    value: 'NAME',
    description: 'the claim with the id of the user',
  },
  TOLLGATE_JWT_TENANT_CLAIM: {
    reads: z.string().min(1).optional(),
    flag: 'jwt-tenant-claim',
    value: 'NAME',
    description: 'the claim with the id of the tenant (default: tenants are not read)',
    defaultText: 'none: tenants are not read',
    docs: 'The claim with the id of the tenant.',
  },
  LOG_LEVEL: {
    reads: z.enum(LOG_LEVELS, `expected one of ${LOG_LEVELS.join(', ')}`).optional(),
    flag: 'log-level',
    value: 'LEVEL',
    description: 'fatal, error, warn, info, debug, trace or silent (default warn without REDIS_URL, else info)',
    defaultText: '`warn` if embedded, else `info`',
    docs: 'The lowest level in the log: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. For the form of the log, see [observability.md](observability.md#logs).',
  },
  TOLLGATE_PRODUCTION: {
    reads: flag.optional(),
    flag: 'production',
    description:
      'no landing page, no introspection, errors without details (default: on with NODE_ENV=production or without the sample API)',
    defaultText: 'on with `NODE_ENV=production` or outside demo mode',
    docs: 'Production mode: no landing page, no introspection of the API, no suggestions in errors, and no details of failures.',
  },
  TOLLGATE_FEE: {
    reads: numberOf(feeOption),
    flag: 'fee',
    value: 'N',
    description: 'tokens charged for a request that has no price, or that can never be admitted',
    docs: 'The number of tokens charged for a request that has no price, such as an invalid one, or that can never be admitted: see [responses.md](responses.md#the-fee).',
  },
  TOLLGATE_USAGE: {
    reads: flag.default(true),
    flag: 'usage',
    description: 'whether usage is recorded',
    docs: 'Whether the platform records usage: see [usage.md](usage.md).',
  },
  TOLLGATE_USAGE_FLUSH_MS: {
    reads: wholeNumber(10, 600_000).default(1_000),
    flag: 'usage-flush-ms',
    value: 'MS',
    description: 'interval in which each instance stores usage, in milliseconds',
    docs: 'The interval in which each instance stores usage, from 10 to 600,000 ms. Reports are up to this much behind, and a killed process loses this much: see [capacity.md](capacity.md#bounds-of-one-postgresql).',
  },
  TOLLGATE_USAGE_MIN_CALLER_OPERATIONS: {
    reads: wholeNumber(1, 1_000_000).default(1),
    flag: 'usage-min-caller-operations',
    value: 'N',
    description: 'operations in such an interval with which an instance counts a caller separately',
    docs: 'The number of operations in a flush with which an instance counts a caller separately. Callers with fewer are [counted together](usage.md#small-callers), except those with a denied operation. Leave it at 1 if you bill by usage.',
  },
  TOLLGATE_USAGE_RETENTION_DAYS: {
    reads: retentionDays.default(400),
    flag: 'usage-retention-days',
    value: 'N',
    description: 'number of days for which usage by day is kept',
  },
  TOLLGATE_USAGE_HOURS_RETENTION_DAYS: {
    reads: retentionDays.default(35),
    flag: 'usage-hours-retention-days',
    value: 'N',
    description: 'number of days for which usage by hour is kept',
  },
  TOLLGATE_USAGE_MINUTES_RETENTION_DAYS: {
    reads: retentionDays.default(3),
    flag: 'usage-minutes-retention-days',
    value: 'N',
    description: 'number of days for which usage by minute is kept',
  },
  TOLLGATE_EVENTS_RETENTION_DAYS: {
    reads: retentionDays.default(30),
    flag: 'events-retention-days',
    value: 'N',
    description: 'number of days for which denials and other events are kept',
    docs: 'Number of days for which [events](usage.md#recorded-data), such as denials, are kept.',
  },
  TOLLGATE_DECISIONS_RETENTION_DAYS: {
    reads: retentionDays.default(1),
    flag: 'decisions-retention-days',
    value: 'N',
    description: 'number of days for which individual decisions are kept',
    docs: 'Number of days for which [individual decisions](usage.md#recorded-data) are kept in PostgreSQL.',
  },
  TOLLGATE_EVENTS_PER_SECOND: {
    reads: wholeNumber(0, 10_000).default(5),
    flag: 'events-per-second',
    value: 'N',
    description: 'average number of denials and other events that each instance keeps per second',
    docs: 'The maximum average number of [events](usage.md#recorded-data), such as denials, that each instance stores per second. 0 stores none. [The totals](usage.md#what-callers-choose-is-bounded) also count events that are not stored.',
  },
  TOLLGATE_CALLER_EVENTS_PER_MINUTE: {
    reads: wholeNumber(0, 10_000).default(10),
    flag: 'caller-events-per-minute',
    value: 'N',
    description: 'maximum number of denials and other events kept per caller, rule and minute',
    docs: 'The maximum number of events, such as denials, that each instance stores per caller, rule and minute.',
  },
  TOLLGATE_DECISIONS_PER_SECOND: {
    reads: wholeNumber(0, 10_000).default(20),
    flag: 'decisions-per-second',
    value: 'N',
    description: 'average number of decisions that each instance stores per second',
    docs: 'The maximum average number of individual decisions that each instance stores in PostgreSQL per second. 0 stores none.',
  },
  TOLLGATE_DENIED_DOCUMENTS: {
    reads: flag.default(true),
    flag: 'denied-documents',
    description: 'whether denied operations are kept, without their strings and numbers',
    docs: 'Whether the platform stores the documents of denied operations, with strings and numbers removed: see [usage.md](usage.md#what-denied-operations-asked-for).',
  },
  TOLLGATE_MAX_BATCH_SIZE: {
    reads: wholeNumber(0, 1000).default(0),
    flag: 'max-batch-size',
    value: 'N',
    description: 'maximum number of operations in a batch (default 0: batches are rejected)',
    docs: 'The maximum number of operations in a batch. 0 rejects batches.',
  },
  TOLLGATE_CORS_ORIGINS: {
    reads: origins.default([]),
    flag: 'cors-origins',
    value: 'LIST',
    description: 'origins whose pages may read responses and quota (default: none)',
    docs: 'The origins whose pages may read responses and quota headers, separated by commas.',
  },
  TOLLGATE_REQUEST_TIMEOUT_MS: {
    reads: wholeNumber(100, 3_600_000).default(30_000),
    flag: 'request-timeout-ms',
    value: 'N',
    description: 'time limit for a request to arrive',
    docs: 'The maximum time, in milliseconds, until a request has arrived completely. Its headers have to arrive within 10 s, or within this time if it is shorter.',
  },
  TOLLGATE_MAX_BODY_BYTES: {
    reads: wholeNumber(1, 100_000_000).default(102_400),
    flag: 'max-body-bytes',
    value: 'N',
    description: 'maximum size of the body of a request, after inflation',
    docs: 'The maximum number of bytes in the body of a request, after inflation: see [responses.md](responses.md#limits-of-a-document).',
  },
  ...DECISION_SETTINGS,
  TOLLGATE_MAX_DOCUMENT_BYTES: documentLimitOf('maxBytes', 'max-document-bytes', 'bytes of a document'),
  TOLLGATE_MAX_TOKENS: documentLimitOf('maxTokens', 'max-tokens', 'lexical tokens of a document'),
  TOLLGATE_MAX_DEPTH: documentLimitOf('maxDepth', 'max-depth', 'nested levels in a document'),
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
    description: 'the Redis of a pool of --pools',
    docs: 'The URL of the Redis of a pool in `TOLLGATE_POOLS`, in the same form as `REDIS_URL`.',
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

/** Variables of `tollgate start`, `doctor` and `gateway` that have no flag. */
export const SETTING_VARIABLES: Readonly<Record<string, string>> = variablesOf({ ...SETTINGS, ...POOL_VARIABLES });

export const settingsSchema = schemaOf(SETTINGS);
