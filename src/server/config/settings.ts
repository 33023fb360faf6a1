import proxyAddr from 'proxy-addr';
import { z } from 'zod';
import { IPV6_PREFIXES } from '../../identity/address-of.js';
import { redisOption } from '../../limiter/redis/redis-option.js';
import type { NumberOption } from '../../options/define-number.js';
import { postgresOption } from '../../postgres/postgres-option.js';

/** Settings that are all required to check tokens. */
export const JWT_NEEDS = ['TOLLGATE_JWT_JWKS_URL', 'TOLLGATE_JWT_ISSUER', 'TOLLGATE_JWT_AUDIENCE'] as const;

/** Settings whose values contain passwords. They are never shown, even if they are invalid. */
const SECRETS = [
  'REDIS_URL',
  '--redis-url',
  'DATABASE_URL',
  '--database-url',
  'DATABASE_READ_URL',
  '--database-read-url',
  'TOLLGATE_REGION_REDIS_URLS',
  '--region-redis-urls',
  'TOLLGATE_ADMIN_TOKEN',
  'TOLLGATE_UPSTREAM_AUTHORIZATION',
];

/**
 * Returns a value for a message. Hides the value of a secret setting, and any text that may contain
 * a secret by mistake.
 */
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

/** Returns the parser for the setting of a numeric library option. */
export const numberOf = (option: NumberOption) => wholeNumber(option.least, option.most).default(option.default);

export const urlOf = (...protocols: string[]) => {
  const expected = `expected a URL that begins with ${protocols.map((one) => `${one}://`).join(' or ')}`;
  return z
    .string()
    .refine((text) => protocols.some((one) => text.startsWith(`${one}://`) && text.length > one.length + 3), expected);
};

export const redisUrl = urlOf('redis', 'rediss', 'redis-cluster', 'redis-sentinel').superRefine((text, context) => {
  // `urlOf` has reported this mistake.
  if (!/^redis(s|-cluster|-sentinel)?:\/\/./.test(text)) return;
  for (const mistake of redisOption.find(text, '')) {
    // The calling code adds the value, or hides it if it is a secret.
    context.addIssue({ code: 'custom', message: mistake.replace(/^: /, '').replace(/, got .*$/s, '') });
  }
});

export const postgresUrl = urlOf('postgres', 'postgresql').superRefine((text, context) => {
  if (!/^postgres(ql)?:\/\/./.test(text)) return;
  for (const mistake of postgresOption.find(text, '')) {
    context.addIssue({ code: 'custom', message: mistake.replace(/^: /, '').replace(/[,;] got .*$/s, '') });
  }
});

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export const flag = z
  .string()
  .transform((text) => text.toLowerCase())
  .refine((text) => ['true', 'false', '1', '0'].includes(text), 'expected true or false')
  .transform((text) => text === 'true' || text === '1');

export const listOf = (text: string) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/**
 * Parses trusted proxies. `true` is rejected, because the platform would then trust the address
 * that any caller states.
 */
export const trustedProxies = z
  .string()
  .transform((text): number | readonly string[] => (/^\d{1,2}$/.test(text.trim()) ? Number(text) : listOf(text)))
  .refine(
    (proxies) => typeof proxies === 'number' || areBlocks(proxies),
    'expected the number of proxies in front, or their addresses and CIDR blocks, such as 10.0.0.0/8,loopback',
  );

export const ipv6Prefix = z
  .string()
  .transform((text) => IPV6_PREFIXES.find((prefix) => String(prefix) === text.trim()))
  .refine(
    (prefix) => prefix !== undefined,
    `expected ${IPV6_PREFIXES.join(', ')}: the number of bits that distinguish IPv6 callers`,
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
export const origins = z
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
export const documentLimit = wholeNumber(1, 100_000_000).optional();
export const retentionDays = wholeNumber(1, 3650);
