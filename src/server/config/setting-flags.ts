import type { Flag, Flags } from './command-line.js';

/** A setting of `tollgate start`: what its variable says, and its flag. */
export interface Setting extends Pick<Flag, 'value' | 'says'> {
  /** @default it has a variable alone */
  readonly flag?: string;
}

/** Every setting by its variable: what reads flags, and what help is printed from. Flags win. */
export const SETTINGS = {
  PORT: { flag: 'port', value: 'N', says: 'the port of the API and of the administration (default 4000)' },
  HOST: { flag: 'host', value: 'ADDRESS', says: 'the address to listen on (default 127.0.0.1 embedded, else 0.0.0.0)' },
  TOLLGATE_METRICS_PORT: {
    flag: 'metrics-port',
    value: 'N',
    says: 'a port for /metrics, open to all who reach it (default: the loopback alone, at the port of the API)',
  },
  TOLLGATE_METRICS_HOST: {
    flag: 'metrics-host',
    value: 'ADDRESS',
    says: 'the address on which that port listens (default: that of --host)',
  },
  REDIS_URL: {
    flag: 'redis-url',
    value: 'URL',
    says: 'where the counters are: redis://, rediss://, redis-cluster:// or redis-sentinel://',
  },
  DATABASE_URL: {
    flag: 'database-url',
    value: 'URL',
    says: 'where tiers, rules, callers and usage are: postgres://; set both or neither',
  },
  TOLLGATE_POSTGRES_CONNECTIONS: {
    flag: 'postgres-connections',
    value: 'N',
    says: 'connections to PostgreSQL for the administration, reports and usage (default 6)',
  },
  TOLLGATE_POSTGRES_LOOKUP_CONNECTIONS: {
    flag: 'postgres-lookup-connections',
    value: 'N',
    says: 'connections to PostgreSQL in addition, for look-ups of callers and for rules alone (default 4)',
  },
  TOLLGATE_POOLS: {
    flag: 'pools',
    value: 'PATTERNS',
    says: 'which operations or callers have a Redis of their own, at REDIS_URL_<POOL>',
  },
  TOLLGATE_REDIS_DEADLINE_MS: {
    flag: 'redis-deadline-ms',
    value: 'N',
    says: 'a decision that Redis has not made by then is made without it (default 25)',
  },
  TOLLGATE_DENIAL_MEMORY_MS: {
    flag: 'denial-memory-ms',
    value: 'N',
    says: 'for so long a caller is denied from memory whom Redis has denied; 0: never (default 500)',
  },
  TOLLGATE_TIER_PRECISION: {
    flag: 'tier-precision',
    value: 'EXACT|LEASED',
    says: 'whether instances may take tokens of tiers ahead: see docs/scale.md (default EXACT)',
  },
  TOLLGATE_INSTANCES: {
    flag: 'instances',
    value: 'N',
    says: 'at least how many instances share the limits (default 1)',
  },
  TOLLGATE_MAX_PARTITIONS: {
    flag: 'max-partitions',
    value: 'N',
    says: 'callers whose counters are kept in memory at most (default 100000)',
  },
  TOLLGATE_DEMO: { flag: 'demo', says: 'the sample API with its tiers and keys, on servers too' },
  TOLLGATE_TRAFFIC: {
    flag: 'traffic',
    says: 'whether made-up callers ask the sample API, where it is served; --no-traffic: none do (default true)',
  },
  TOLLGATE_DATA_DIR: {
    flag: 'data-dir',
    value: 'FOLDER',
    says: 'the embedded database, and the snapshot of the ruleset (default .tollgate)',
  },
  TOLLGATE_ADMIN_TOKEN: {
    says: 'the token of the first administrator, 16 characters or more; no flag, as the list of processes would show it',
  },
  TOLLGATE_DENIAL_STATUS: { flag: 'denial-status', value: '429|200', says: 'the status of a denial (default 429)' },
  TOLLGATE_SHUTDOWN_TIMEOUT_MS: {
    flag: 'shutdown-timeout-ms',
    value: 'N',
    says: 'how long requests in flight may take to end after SIGTERM (default 10000)',
  },
  TOLLGATE_TRUSTED_PROXIES: {
    flag: 'trusted-proxies',
    value: 'PROXIES',
    says: 'how many proxies stand in front, or their addresses and blocks (default 0)',
  },
  TOLLGATE_IPV6_PREFIX: {
    flag: 'ipv6-prefix',
    value: '48|56|64|128',
    says: 'bits by which IPv6 callers are told apart (default 64)',
  },
  TOLLGATE_JWT_JWKS_URL: { flag: 'jwt-jwks-url', value: 'URL', says: 'where the issuer of tokens publishes its keys' },
  TOLLGATE_JWT_ISSUER: { flag: 'jwt-issuer', value: 'TEXT', says: 'what the "iss" of a token has to be' },
  TOLLGATE_JWT_AUDIENCE: { flag: 'jwt-audience', value: 'TEXT', says: 'what the "aud" of a token has to hold' },
  TOLLGATE_JWT_ALGORITHMS: {
    flag: 'jwt-algorithms',
    value: 'LIST',
    says: 'the algorithms that are taken (default RS256,ES256)',
  },
  TOLLGATE_JWT_USER_CLAIM: {
    flag: 'jwt-user-claim',
    value: 'NAME',
    says: 'the claim with the id of the user (default sub)',
  },
  TOLLGATE_JWT_TENANT_CLAIM: {
    flag: 'jwt-tenant-claim',
    value: 'NAME',
    says: 'the claim with the id of the tenant (default: tenants are not read)',
  },
  LOG_LEVEL: {
    flag: 'log-level',
    value: 'LEVEL',
    says: 'fatal, error, warn, info, debug, trace or silent (default warn embedded, else info)',
  },
  TOLLGATE_PRODUCTION: {
    flag: 'production',
    says: 'no landing page, no introspection, errors that tell nothing (default: NODE_ENV=production, or no sample API)',
  },
  TOLLGATE_FEE: { flag: 'fee', value: 'N', says: 'tokens paid by what is never priced, or can never pass (default 1)' },
  TOLLGATE_USAGE: { flag: 'usage', says: 'whether usage is recorded (default true)' },
  TOLLGATE_USAGE_RETENTION_DAYS: {
    flag: 'usage-retention-days',
    value: 'N',
    says: 'for how many days usage is kept by day (default 400)',
  },
  TOLLGATE_USAGE_HOURS_RETENTION_DAYS: {
    flag: 'usage-hours-retention-days',
    value: 'N',
    says: 'for how many days usage is kept by hour (default 35)',
  },
  TOLLGATE_USAGE_MINUTES_RETENTION_DAYS: {
    flag: 'usage-minutes-retention-days',
    value: 'N',
    says: 'for how many days usage is kept by minute (default 3)',
  },
  TOLLGATE_EVENTS_RETENTION_DAYS: {
    flag: 'events-retention-days',
    value: 'N',
    says: 'for how many days denials and other events are kept (default 30)',
  },
  TOLLGATE_DECISIONS_RETENTION_DAYS: {
    flag: 'decisions-retention-days',
    value: 'N',
    says: 'for how many days logged decisions are kept (default 1)',
  },
  TOLLGATE_EVENTS_PER_SECOND: {
    flag: 'events-per-second',
    value: 'N',
    says: 'denials and other events that each instance keeps one by one in a second, on average (default 5)',
  },
  TOLLGATE_CALLER_EVENTS_PER_MINUTE: {
    flag: 'caller-events-per-minute',
    value: 'N',
    says: 'of them, those of one caller by one rule in a minute (default 10)',
  },
  TOLLGATE_DECISIONS_PER_SECOND: {
    flag: 'decisions-per-second',
    value: 'N',
    says: 'decisions that each instance logs in a second, on average (default 20)',
  },
  TOLLGATE_DENIED_DOCUMENTS: {
    flag: 'denied-documents',
    says: 'whether it is kept, without texts and numbers, what denied operations asked for (default true)',
  },
  TOLLGATE_MAX_BATCH_SIZE: {
    flag: 'max-batch-size',
    value: 'N',
    says: 'operations in a batch (default 0: batches are refused)',
  },
  TOLLGATE_CORS_ORIGINS: {
    flag: 'cors-origins',
    value: 'LIST',
    says: 'origins whose pages may read answers and quota (default: none)',
  },
  TOLLGATE_REQUEST_TIMEOUT_MS: {
    flag: 'request-timeout-ms',
    value: 'N',
    says: 'how long a request may take to arrive (default 30000)',
  },
  TOLLGATE_MAX_BODY_BYTES: {
    flag: 'max-body-bytes',
    value: 'N',
    says: 'of the body of a request, after inflation (default 102400)',
  },
  TOLLGATE_MAX_DOCUMENT_BYTES: {
    flag: 'max-document-bytes',
    value: 'N',
    says: 'at most, bytes of a document (default 65536)',
  },
  TOLLGATE_MAX_TOKENS: { flag: 'max-tokens', value: 'N', says: 'at most, tokens of a document (default 2000)' },
  TOLLGATE_MAX_DEPTH: { flag: 'max-depth', value: 'N', says: 'at most, how deep a document nests (default 30)' },
  TOLLGATE_MAX_ALIASES: { flag: 'max-aliases', value: 'N', says: 'at most, aliases of a document (default 250)' },
  TOLLGATE_MAX_DIRECTIVES: {
    flag: 'max-directives',
    value: 'N',
    says: 'at most, directives of a document (default 250)',
  },
  TOLLGATE_MAX_DEFINITIONS: {
    flag: 'max-definitions',
    value: 'N',
    says: 'at most, operations and fragments of a document (default 100)',
  },
  TOLLGATE_MAX_COMPARISONS: {
    flag: 'max-comparisons',
    value: 'N',
    says: 'at most, comparisons that the validation of a document makes (default 6000)',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** The flags of `tollgate start` and `tollgate doctor`. */
export const SETTING_FLAGS: Flags = flagsOf(SETTINGS);

/** The variables of both that have no flag. */
export const SETTING_VARIABLES: Readonly<Record<string, string>> = {
  ...variablesOf(SETTINGS),
  'REDIS_URL_<POOL>': 'the Redis of a pool of --pools',
};

export function flagsOf(settings: Readonly<Record<string, Setting>>): Flags {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([variable, { flag, ...rest }]) =>
      flag === undefined ? [] : [[flag, { ...rest, variable }]],
    ),
  );
}

export function variablesOf(settings: Readonly<Record<string, Setting>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([variable, { flag, says }]) => (flag === undefined ? [[variable, says]] : [])),
  );
}
