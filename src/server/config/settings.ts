import proxyAddr from 'proxy-addr';
import { z } from 'zod';
import { IPV6_PREFIXES } from '../../identity/address.js';
import { JWT_ALGORITHMS } from '../../identity/jwt-algorithms.js';
import { DENIAL_MEMORY } from '../../limiter/denials/denial-memory-option.js';
import { redisOption } from '../../limiter/redis/redis-option.js';
import { PRECISIONS } from '../../model/limit.js';
import { COUNTER_OPTIONS } from '../../options/counter-options.js';
import type { NumberOption } from '../../options/define-number.js';
import { postgresOption } from '../../postgres/postgres-option.js';
import { feeOption } from '../../protection/fee-option.js';

/** Without all of these no token can be checked. */
export const JWT_NEEDS = ['TOLLGATE_JWT_JWKS_URL', 'TOLLGATE_JWT_ISSUER', 'TOLLGATE_JWT_AUDIENCE'] as const;

/** Their values hold passwords: never shown, not even when they are wrong. */
const SECRETS = [
  'REDIS_URL',
  '--redis-url',
  'DATABASE_URL',
  '--database-url',
  'TOLLGATE_ADMIN_TOKEN',
  'TOLLGATE_UPSTREAM_AUTHORIZATION',
];

/** Returns a value for a message: not that of a secret, nor a text that may hold one in the wrong place. */
export function shownValue(shownAs: string, value: string | undefined): string {
  const mayHoldSecret = value !== undefined && /:\/\/.{0,2000}[@?#]|:\s|\bbearer\b/i.test(value);
  return SECRETS.includes(shownAs) || mayHoldSecret ? '(a secret, not shown)' : JSON.stringify(value);
}

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `expected a whole number from ${min} to ${max}`);

/** The setting of an option of the library. */
const numberOf = (option: NumberOption) => wholeNumber(option.least, option.most).default(option.default);

const urlOf = (...protocols: string[]) => {
  const expected = `expected a URL that begins with ${protocols.map((one) => `${one}://`).join(' or ')}`;
  return z
    .string()
    .refine((text) => protocols.some((one) => text.startsWith(`${one}://`) && text.length > one.length + 3), expected);
};

export const redisUrl = urlOf('redis', 'rediss', 'redis-cluster', 'redis-sentinel').superRefine((text, context) => {
  // That is told already.
  if (!/^redis(s|-cluster|-sentinel)?:\/\/./.test(text)) return;
  for (const mistake of redisOption.find(text, '')) {
    // What came is said, or is a secret.
    context.addIssue({ code: 'custom', message: mistake.replace(/^: /, '').replace(/, got .*$/s, '') });
  }
});

const postgresUrl = urlOf('postgres', 'postgresql').superRefine((text, context) => {
  if (!/^postgres(ql)?:\/\/./.test(text)) return;
  for (const mistake of postgresOption.find(text, '')) {
    context.addIssue({ code: 'custom', message: mistake.replace(/^: /, '').replace(/[,;] got .*$/s, '') });
  }
});

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export const flag = z
  .string()
  .transform((text) => text.toLowerCase())
  .refine((text) => ['true', 'false', '1', '0'].includes(text), 'expected true or false')
  .transform((text) => text === 'true' || text === '1');

const listOf = (text: string) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** `true` would take any caller's word for their address: it is refused like every other text that names no proxy. */
const trustedProxies = z
  .string()
  .transform((text): number | readonly string[] => (/^\d{1,2}$/.test(text.trim()) ? Number(text) : listOf(text)))
  .refine(
    (proxies) => typeof proxies === 'number' || areBlocks(proxies),
    'expected the number of proxies in front, or their addresses and CIDR blocks, such as 10.0.0.0/8,loopback',
  );

const ipv6Prefix = z
  .string()
  .transform((text) => IPV6_PREFIXES.find((prefix) => String(prefix) === text.trim()))
  .refine(
    (prefix) => prefix !== undefined,
    `expected ${IPV6_PREFIXES.join(', ')}: bits by which IPv6 callers are told apart`,
  )
  .transform((prefix) => prefix!);

function areBlocks(blocks: readonly string[]): boolean {
  try {
    proxyAddr.compile([...blocks]);
    return blocks.length > 0;
  } catch {
    return false;
  }
}
const origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine(
    (all) => all.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    'expected origins such as https://app.example.com, with commas between them',
  );
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
export const headerNames = z
  .string()
  .transform((text) => listOf(text).map((name) => name.toLowerCase()))
  .refine(
    (names) => names.length > 0 && names.every((name) => HEADER_NAME.test(name)),
    'expected names of headers such as authorization,x-tenant, with commas between them',
  );
const documentLimit = wholeNumber(1, 100_000_000).optional();
const retentionDays = wholeNumber(1, 3650);

export const settingsSchema = z.object({
  PORT: wholeNumber(1, 65_535).default(4000),
  HOST: z.string().min(1).optional(),
  TOLLGATE_METRICS_PORT: wholeNumber(1, 65_535).optional(),
  TOLLGATE_METRICS_HOST: z.string().min(1).optional(),
  REDIS_URL: redisUrl.optional(),
  DATABASE_URL: postgresUrl.optional(),
  TOLLGATE_POSTGRES_CONNECTIONS: wholeNumber(2, 1000).default(6),
  TOLLGATE_POSTGRES_LOOKUP_CONNECTIONS: wholeNumber(1, 1000).default(4),
  TOLLGATE_POOLS: z.string().optional(), // With the URLs: see readPools.
  TOLLGATE_REDIS_DEADLINE_MS: numberOf(COUNTER_OPTIONS.deadlineMs),
  TOLLGATE_DENIAL_MEMORY_MS: numberOf(DENIAL_MEMORY.maxAgeMs),
  TOLLGATE_TIER_PRECISION: z.enum(PRECISIONS, `expected ${PRECISIONS.join(' or ')}`).default('EXACT'),
  TOLLGATE_INSTANCES: numberOf(COUNTER_OPTIONS.instances),
  TOLLGATE_MAX_PARTITIONS: numberOf(COUNTER_OPTIONS.maxPartitions),
  TOLLGATE_DEMO: flag.default(false),
  TOLLGATE_TRAFFIC: flag.default(true),
  TOLLGATE_DATA_DIR: z.string().min(1).default('.tollgate'),
  TOLLGATE_ADMIN_TOKEN: z.string().min(16, 'expected 16 characters or more').optional(),
  TOLLGATE_DENIAL_STATUS: z
    .enum(['429', '200'], 'expected 429 or 200')
    .transform((text): 429 | 200 => (text === '429' ? 429 : 200))
    .default(429),
  TOLLGATE_SHUTDOWN_TIMEOUT_MS: wholeNumber(1, 600_000).default(10_000),
  TOLLGATE_TRUSTED_PROXIES: trustedProxies.default(0),
  TOLLGATE_IPV6_PREFIX: ipv6Prefix.default(64),
  TOLLGATE_JWT_JWKS_URL: urlOf('https', 'http').optional(),
  TOLLGATE_JWT_ISSUER: z.string().min(1).optional(),
  TOLLGATE_JWT_AUDIENCE: z.string().min(1).optional(),
  TOLLGATE_JWT_ALGORITHMS: z
    .string()
    .transform(listOf)
    .refine(
      (names) => names.length > 0 && names.every((name) => JWT_ALGORITHMS.includes(name)),
      `expected one or more of ${JWT_ALGORITHMS.join(',')}`,
    )
    .default(['RS256', 'ES256']),
  TOLLGATE_JWT_USER_CLAIM: z.string().min(1).default('sub'),
  TOLLGATE_JWT_TENANT_CLAIM: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `expected one of ${LOG_LEVELS.join(', ')}`).optional(),
  TOLLGATE_PRODUCTION: flag.optional(),
  TOLLGATE_FEE: numberOf(feeOption),
  TOLLGATE_USAGE: flag.default(true),
  TOLLGATE_USAGE_RETENTION_DAYS: retentionDays.default(400),
  TOLLGATE_USAGE_HOURS_RETENTION_DAYS: retentionDays.default(35),
  TOLLGATE_USAGE_MINUTES_RETENTION_DAYS: retentionDays.default(3),
  TOLLGATE_EVENTS_RETENTION_DAYS: retentionDays.default(30),
  TOLLGATE_DECISIONS_RETENTION_DAYS: retentionDays.default(1),
  TOLLGATE_EVENTS_PER_SECOND: wholeNumber(0, 10_000).default(5),
  TOLLGATE_CALLER_EVENTS_PER_MINUTE: wholeNumber(0, 10_000).default(10),
  TOLLGATE_DECISIONS_PER_SECOND: wholeNumber(0, 10_000).default(20),
  TOLLGATE_DENIED_DOCUMENTS: flag.default(true),
  TOLLGATE_MAX_BATCH_SIZE: wholeNumber(0, 1000).default(0),
  TOLLGATE_CORS_ORIGINS: origins.default([]),
  TOLLGATE_REQUEST_TIMEOUT_MS: wholeNumber(100, 3_600_000).default(30_000),
  TOLLGATE_MAX_BODY_BYTES: wholeNumber(1, 100_000_000).default(102_400),
  TOLLGATE_MAX_DOCUMENT_BYTES: documentLimit,
  TOLLGATE_MAX_TOKENS: documentLimit,
  TOLLGATE_MAX_DEPTH: documentLimit,
  TOLLGATE_MAX_ALIASES: documentLimit,
  TOLLGATE_MAX_DIRECTIVES: documentLimit,
  TOLLGATE_MAX_DEFINITIONS: documentLimit,
  TOLLGATE_MAX_COMPARISONS: documentLimit,
});
