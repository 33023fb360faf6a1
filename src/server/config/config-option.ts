import { documentLimitsOption } from '../../documents/document-limits-option.js';
import { documentPolicyOption } from '../../documents/document-policy-option.js';
import { IPV6_PREFIXES } from '../../identity/address-of.js';
import { trustedProxiesOption } from '../../identity/trusted-proxies-option.js';
import { DENIAL_MEMORY } from '../../limiter/denials/denial-memory-option.js';
import { LEASES } from '../../limiter/lease/lease-options.js';
import { redisOption } from '../../limiter/redis/redis-option.js';
import { PRECISIONS } from '../../model/limit-parameters.js';
import { COUNTER_OPTIONS } from '../../options/counter-options.js';
import { findMistakes, type OptionCheck, type OptionTable } from '../../options/find-mistakes.js';
import {
  anything,
  flag,
  listOf,
  numberFrom,
  oneOf,
  optionsOf,
  optionsOrFalse,
  text,
  wholeNumber,
} from '../../options/option-kinds.js';
import { regionOption } from '../../options/region-option.js';
import { postgresOption, postgresUrlOption } from '../../postgres/postgres-option.js';
import { feeOption } from '../../protection/fee-option.js';
import { RETENTION } from '../../usage/record/usage-option.js';
import type { Config } from './config.js';

const port = wholeNumber(0, 65_535);

/** Members of a configuration that may be undefined, and may therefore be missing. */
const MAY_BE_MISSING: ReadonlySet<string> = new Set([
  'metricsPort',
  'metricsHost',
  'redisUrl',
  'databaseUrl',
  'databaseReadUrl',
  'adminToken',
  'jwt',
  'region',
  'unknownVariables',
  'decisions',
] satisfies (keyof Config)[]);

const TABLE: OptionTable<Config> = {
  embedded: flag,
  demo: flag,
  traffic: flag,
  host: text,
  port,
  metricsPort: port,
  metricsHost: text,
  redisUrl: redisOption,
  // `loadConfig` has checked the pools and their URLs.
  pools: listOf(anything),
  ...COUNTER_OPTIONS,
  denialMemoryMs: DENIAL_MEMORY.maxAgeMs,
  tierPrecision: oneOf(...PRECISIONS),
  leaseMs: LEASES.lengthMs,
  region: regionOption,
  documents: documentPolicyOption,
  agentClients: listOf(text),
  databaseUrl: postgresOption,
  databaseReadUrl: postgresUrlOption,
  postgresConnections: wholeNumber(2, 1000),
  postgresLookupConnections: wholeNumber(1, 1000),
  dataDir: text,
  adminToken: text,
  denialStatus: oneOf(429, 200),
  trustedProxies: trustedProxiesOption,
  ipv6Prefix: oneOf(...IPV6_PREFIXES),
  jwt: optionsOf<NonNullable<Config['jwt']>>({
    jwksUrl: text,
    issuer: text,
    audience: text,
    algorithms: listOf(text),
    userClaim: text,
    tenantClaim: text,
  }),
  logLevel: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  shutdownTimeoutMs: wholeNumber(0),
  production: flag,
  fee: feeOption,
  usage: optionsOrFalse<Exclude<Config['usage'], false>>({
    flushMs: wholeNumber(1),
    minCallerOperations: wholeNumber(1),
    eventsPerSecond: numberFrom(0),
    callerEventsPerMinute: wholeNumber(0),
    decisionsPerSecond: numberFrom(0),
    keepDeniedDocuments: flag,
    retention: optionsOf(RETENTION),
  }),
  maxBatchSize: wholeNumber(0),
  corsOrigins: listOf(text),
  requestTimeoutMs: wholeNumber(1),
  maxBodyBytes: wholeNumber(1),
  decisions: optionsOf<NonNullable<Config['decisions']>>({
    port,
    socket: text,
    maxPerSecond: wholeNumber(1),
    userClaim: text,
    tenantClaim: text,
    scoreHeader: text,
  }),
  unknownVariables: listOf(text),
  documentLimits: documentLimitsOption,
};

/**
 * Check of the option `config`: a result of `loadConfig`, some of whose members the calling code
 * may have replaced.
 */
export const configOption: OptionCheck<Config> = {
  members: TABLE,
  *find(value, place) {
    yield* findMistakes(value, TABLE, { place });
    if (typeof value !== 'object' || value === null) return;
    const missing = Object.keys(TABLE).filter((name) => !(name in value) && !MAY_BE_MISSING.has(name));
    if (missing.length > 0) {
      yield `${place}: expected all members of loadConfig(), such as { ...loadConfig(), port: 4000 }; missing: ${missing.join(', ')}`;
    }
  },
};
