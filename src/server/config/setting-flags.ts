import { z } from 'zod';
import { DEFAULT_DOCUMENT_LIMITS } from '../../documents/measure-document.js';
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

/** Every setting by its variable: what reads variables and flags, and what help is printed from. Flags win. */
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
  },
  TOLLGATE_METRICS_PORT: {
    reads: wholeNumber(1, 65_535).optional(),
    flag: 'metrics-port',
    value: 'N',
    says: 'a port for /metrics, open to all who reach it (default: the loopback alone, at the port of the API)',
  },
  TOLLGATE_METRICS_HOST: {
    reads: z.string().min(1).optional(),
    flag: 'metrics-host',
    value: 'ADDRESS',
    says: 'the address on which that port listens (default: that of --host)',
  },
  REDIS_URL: {
    reads: redisUrl.optional(),
    flag: 'redis-url',
    value: 'URL',
    says: 'where the counters are: redis://, rediss://, redis-cluster:// or redis-sentinel://',
  },
  DATABASE_URL: {
    reads: postgresUrl.optional(),
    flag: 'database-url',
    value: 'URL',
    says: 'where tiers, rules, callers and usage are: postgres://; set both or neither',
  },
  TOLLGATE_POSTGRES_CONNECTIONS: {
    reads: wholeNumber(2, 1000).default(6),
    flag: 'postgres-connections',
    value: 'N',
    says: 'connections to PostgreSQL for the administration, reports and usage',
  },
  TOLLGATE_POSTGRES_LOOKUP_CONNECTIONS: {
    reads: wholeNumber(1, 1000).default(4),
    flag: 'postgres-lookup-connections',
    value: 'N',
    says: 'connections to PostgreSQL in addition, for look-ups of callers and for rules alone',
  },
  TOLLGATE_POOLS: {
    reads: z.string().optional(),
    flag: 'pools',
    value: 'PATTERNS',
    says: 'which operations or callers have a Redis of their own, at REDIS_URL_<POOL>',
  },
  ...settingsOf(COUNTER_OPTIONS),
  TOLLGATE_DENIAL_MEMORY_MS: {
    reads: numberOf(DENIAL_MEMORY.maxAgeMs),
    flag: 'denial-memory-ms',
    value: 'N',
    says: 'for so long a caller is denied from memory whom Redis has denied; 0: never',
  },
  TOLLGATE_TIER_PRECISION: {
    reads: z.enum(PRECISIONS, `expected ${PRECISIONS.join(' or ')}`).default('EXACT'),
    flag: 'tier-precision',
    value: 'EXACT|LEASED',
    says: 'whether instances may take tokens of tiers ahead: see docs/scale.md',
  },
  TOLLGATE_DEMO: {
    reads: flag.default(false),
    flag: 'demo',
    says: 'the sample API with its tiers and keys, on servers too',
  },
  TOLLGATE_TRAFFIC: {
    reads: flag.default(true),
    flag: 'traffic',
    says: 'whether made-up callers ask the sample API, where it is served; --no-traffic: none do',
  },
  TOLLGATE_DATA_DIR: {
    reads: z.string().min(1).default('.tollgate'),
    flag: 'data-dir',
    value: 'FOLDER',
    says: 'the embedded database, and the snapshot of the ruleset',
  },
  TOLLGATE_ADMIN_TOKEN: {
    reads: z.string().min(16, 'expected 16 characters or more').optional(),
    says: 'the token of the first administrator, 16 characters or more; no flag, as the list of processes would show it',
  },
  TOLLGATE_DENIAL_STATUS: {
    reads: z
      .enum(['429', '200'], 'expected 429 or 200')
      .transform((text): 429 | 200 => (text === '429' ? 429 : 200))
      .default(429),
    flag: 'denial-status',
    value: '429|200',
    says: 'the status of a denial',
  },
  TOLLGATE_SHUTDOWN_TIMEOUT_MS: {
    reads: wholeNumber(1, 600_000).default(10_000),
    flag: 'shutdown-timeout-ms',
    value: 'N',
    says: 'how long requests in flight may take to end after SIGTERM',
  },
  TOLLGATE_TRUSTED_PROXIES: {
    reads: trustedProxies.default(0),
    flag: 'trusted-proxies',
    value: 'PROXIES',
    says: 'how many proxies stand in front, or their addresses and blocks',
  },
  TOLLGATE_IPV6_PREFIX: {
    reads: ipv6Prefix.default(64),
    flag: 'ipv6-prefix',
    value: '48|56|64|128',
    says: 'bits by which IPv6 callers are told apart',
  },
  TOLLGATE_JWT_JWKS_URL: {
    reads: urlOf('https', 'http').optional(),
    flag: 'jwt-jwks-url',
    value: 'URL',
    says: 'where the issuer of tokens publishes its keys',
  },
  TOLLGATE_JWT_ISSUER: {
    reads: z.string().min(1).optional(),
    flag: 'jwt-issuer',
    value: 'TEXT',
    says: 'what the "iss" of a token has to be',
  },
  TOLLGATE_JWT_AUDIENCE: {
    reads: z.string().min(1).optional(),
    flag: 'jwt-audience',
    value: 'TEXT',
    says: 'what the "aud" of a token has to hold',
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
  },
  LOG_LEVEL: {
    reads: z.enum(LOG_LEVELS, `expected one of ${LOG_LEVELS.join(', ')}`).optional(),
    flag: 'log-level',
    value: 'LEVEL',
    says: 'fatal, error, warn, info, debug, trace or silent (default warn embedded, else info)',
  },
  TOLLGATE_PRODUCTION: {
    reads: flag.optional(),
    flag: 'production',
    says: 'no landing page, no introspection, errors that tell nothing (default: NODE_ENV=production, or no sample API)',
  },
  TOLLGATE_FEE: {
    reads: numberOf(feeOption),
    flag: 'fee',
    value: 'N',
    says: 'tokens paid by what is never priced, or can never pass',
  },
  TOLLGATE_USAGE: { reads: flag.default(true), flag: 'usage', says: 'whether usage is recorded' },
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
  },
  TOLLGATE_CALLER_EVENTS_PER_MINUTE: {
    reads: wholeNumber(0, 10_000).default(10),
    flag: 'caller-events-per-minute',
    value: 'N',
    says: 'of them, those of one caller by one rule in a minute',
  },
  TOLLGATE_DECISIONS_PER_SECOND: {
    reads: wholeNumber(0, 10_000).default(20),
    flag: 'decisions-per-second',
    value: 'N',
    says: 'decisions that each instance logs in a second, on average',
  },
  TOLLGATE_DENIED_DOCUMENTS: {
    reads: flag.default(true),
    flag: 'denied-documents',
    says: 'whether it is kept, without texts and numbers, what denied operations asked for',
  },
  TOLLGATE_MAX_BATCH_SIZE: {
    reads: wholeNumber(0, 1000).default(0),
    flag: 'max-batch-size',
    value: 'N',
    says: 'operations in a batch (default 0: batches are refused)',
  },
  TOLLGATE_CORS_ORIGINS: {
    reads: origins.default([]),
    flag: 'cors-origins',
    value: 'LIST',
    says: 'origins whose pages may read answers and quota (default: none)',
  },
  TOLLGATE_REQUEST_TIMEOUT_MS: {
    reads: wholeNumber(100, 3_600_000).default(30_000),
    flag: 'request-timeout-ms',
    value: 'N',
    says: 'how long a request may take to arrive',
  },
  TOLLGATE_MAX_BODY_BYTES: {
    reads: wholeNumber(1, 100_000_000).default(102_400),
    flag: 'max-body-bytes',
    value: 'N',
    says: 'of the body of a request, after inflation',
  },
  TOLLGATE_MAX_DOCUMENT_BYTES: {
    reads: documentLimit,
    flag: 'max-document-bytes',
    value: 'N',
    says: `at most, bytes of a document (default ${DEFAULT_DOCUMENT_LIMITS.maxBytes})`,
  },
  TOLLGATE_MAX_TOKENS: {
    reads: documentLimit,
    flag: 'max-tokens',
    value: 'N',
    says: `at most, tokens of a document (default ${DEFAULT_DOCUMENT_LIMITS.maxTokens})`,
  },
  TOLLGATE_MAX_DEPTH: {
    reads: documentLimit,
    flag: 'max-depth',
    value: 'N',
    says: `at most, how deep a document nests (default ${DEFAULT_DOCUMENT_LIMITS.maxDepth})`,
  },
  TOLLGATE_MAX_ALIASES: {
    reads: documentLimit,
    flag: 'max-aliases',
    value: 'N',
    says: `at most, aliases of a document (default ${DEFAULT_DOCUMENT_LIMITS.maxAliases})`,
  },
  TOLLGATE_MAX_DIRECTIVES: {
    reads: documentLimit,
    flag: 'max-directives',
    value: 'N',
    says: `at most, directives of a document (default ${DEFAULT_DOCUMENT_LIMITS.maxDirectives})`,
  },
  TOLLGATE_MAX_DEFINITIONS: {
    reads: documentLimit,
    flag: 'max-definitions',
    value: 'N',
    says: `at most, operations and fragments of a document (default ${DEFAULT_DOCUMENT_LIMITS.maxDefinitions})`,
  },
  TOLLGATE_MAX_COMPARISONS: {
    reads: documentLimit,
    flag: 'max-comparisons',
    value: 'N',
    says: `at most, comparisons that the validation of a document makes (default ${DEFAULT_DOCUMENT_LIMITS.maxComparisons})`,
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;

/** The flags of `tollgate start` and `tollgate doctor`. */
export const SETTING_FLAGS: Flags = flagsOf(SETTINGS);

/** The variables of both that have no flag. */
export const SETTING_VARIABLES: Readonly<Record<string, string>> = {
  ...variablesOf(SETTINGS),
  'REDIS_URL_<POOL>': 'the Redis of a pool of --pools',
};

export const settingsSchema = schemaOf(SETTINGS);
