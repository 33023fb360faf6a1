import { describe, expect, it } from 'vitest';
import { parseRedisUrl } from '../../src/limiter/redis/connect.js';
import { redisOption } from '../../src/limiter/redis/redis-option.js';
import { hideSecrets } from '../../src/observability/hide-secrets.js';
import { findCredentialMistake } from '../../src/options/find-credential-mistake.js';
import { findMistakes } from '../../src/options/find-mistakes.js';
import { placeOfPostgres } from '../../src/postgres/place-of-postgres.js';
import { postgresOption } from '../../src/postgres/postgres-option.js';
import { type ConfigError, loadConfig, loadDatabaseUrl } from '../../src/server/config/config.js';
import { loadGatewayConfig } from '../../src/server/config/load-gateway-config.js';

const ENDINGS = ['@', '/', '?', '#', '%'];
/**
 * Passwords with each character that ends a password in a URL: at the beginning, inside, at the
 * end, and twice.
 */
const MALFORMED = ENDINGS.flatMap((end) => [
  `${end}Hun7`,
  `12${end}Hun7`,
  `Hun${end}ter7`,
  `Hun7${end}`,
  `12${end}34${end}Hun7`,
]);
const REDIS = ['redis', 'rediss', 'redis-cluster', 'redis-sentinel'];
const hostsOf = (scheme: string) =>
  ({ 'redis-cluster': 'a:1,b:2', 'redis-sentinel': 'a:1,b:2/primary' })[scheme] ?? 'host:6379/1';

function problemsOf(run: () => unknown): string {
  try {
    return JSON.stringify(run());
  } catch (error) {
    return (error as ConfigError).message;
  }
}

describe('URLs with a password that is not percent-encoded', () => {
  it.each(
    MALFORMED,
  )('a URL with an unencoded password is rejected with the fix, and no part of %j is shown', (password) => {
    const urls = [
      ...REDIS.flatMap((scheme) =>
        [`ann:${password}`, `:${password}`, password].map((who) => `${scheme}://${who}@${hostsOf(scheme)}`),
      ),
      `postgres://ann:${password}@host:5432/db`,
      `postgresql://${password}:x@host/db?sslmode=require`,
    ];
    for (const url of urls) {
      const option = url.startsWith('postgres') ? postgresOption : redisOption;
      const [mistake, ...others] = [...option.find(url, 'url')];
      expect(mistake, url).toMatch(/percent-encoded/);
      expect(others).toEqual([]);
      const setting = url.startsWith('postgres') ? 'DATABASE_URL' : 'REDIS_URL';
      const env = { REDIS_URL: 'redis://r', DATABASE_URL: 'postgres://p/db', [setting]: url };
      const shown = [
        mistake,
        problemsOf(() => loadConfig({ env })),
        problemsOf(() => loadGatewayConfig({ env, args: ['--upstream', 'http://api'] })),
        problemsOf(() =>
          loadConfig({ env: { ...env, REDIS_URL: 'redis://r', TOLLGATE_POOLS: 'p=anonymous', REDIS_URL_P: url } }),
        ),
        ...(setting === 'DATABASE_URL' ? [problemsOf(() => loadDatabaseUrl({ env }))] : []),
        hideSecrets(`cannot use ${url} today`),
      ].join('\n');
      expect(shown).not.toMatch(/Hun|ter7|\b12\b|\b34\b/);
    }
  });

  it.each(MALFORMED)('a URL is accepted if the password %j is percent-encoded', (password) => {
    const encoded = encodeURIComponent(password);
    for (const scheme of REDIS) {
      expect(parseRedisUrl(`${scheme}://ann:${encoded}@${hostsOf(scheme)}`)).toMatchObject({
        username: 'ann',
        password,
      });
    }
    const url = `postgres://ann:${encoded}@host:5432/db`;
    expect([...postgresOption.find(url, 'url')]).toEqual([]);
    expect(placeOfPostgres(url)).toBe('host:5432/db');
  });

  it('credentials at each host of a list are rejected, because they belong before the first host', () => {
    expect(findCredentialMistake('redis-cluster://:secret@a:1,:secret@b:2')).toContain(
      'once, in front of the first host',
    );
  });
});

describe('credentials in the wrong position', () => {
  it.each([
    ['an argument without a flag', ['postgres://ann:Hun7@host/db']],
    ['an upstream with a key', ['--upstream', 'htps://api/graphql?key=Hun7']],
    ['an upstream with a password', ['--upstream', 'https://ann:Hun7@api/graphql']],
    ['an upstream with a fragment', ['--upstream', 'https://api/graphql?key=Hun7#x']],
    ['a header with its value', ['--upstream', 'http://api', '--allow-headers', 'authorization: Bearer Hun7']],
    ['an unknown flag', ['--upstream', 'http://api', '--databse-url=postgres://ann:Hun7@host/db']],
    ['a flag that is followed by a value', ['--upstream', 'http://api', '--redis=redis://:Hun7@host']],
    ['the key URL of an issuer', ['--upstream', 'http://api', '--jwt-jwks-url', 'htps://ann:Hun7@host']],
  ])('the error for %s shows no credential', (_, args) => {
    const problems = problemsOf(() => loadGatewayConfig({ env: {}, args }));
    expect(problems).toMatch(/mistake/);
    expect(problems).not.toContain('Hun7');
  });
});

describe('parameters of a Redis URL', () => {
  it.each([
    ['redis://host:6379?family=0', { family: 0, database: 0 }],
    ['redis://host:6379/?family=6', { family: 6, database: 0 }],
    ['rediss://:secret@host:6379/3?family=4', { family: 4, database: 3, password: 'secret' }],
    ['redis://host?db=2', { database: 2, family: undefined }],
    ['redis-cluster://a:1,b:2?family=0', { family: 0 }],
    ['redis-sentinel://a,b/primary?family=0&db=1', { family: 0, database: 1, rest: 'primary' }],
    ['redis://[::1]:6379?family=6', { family: 6, nodes: [{ host: '::1', port: 6379 }] }],
  ])('the parameters of a Redis URL are read from %s', (url, read) => {
    expect(parseRedisUrl(url)).toMatchObject(read);
    expect([...findMistakes({ redis: url }, { redis: redisOption })]).toEqual([]);
  });

  it.each([
    ['redis://host?family=7', 'family: expected 0, 4 or 6'],
    ['redis://host/1?db=2', 'expected one database, got 1 after the host and ?db=2'],
    ['redis://host?db=x', 'db: expected a whole number'],
    ['redis://host?enableOfflineQueue=true', 'expected family or db after "?", got another parameter'],
    ['redis://a,b', 'expected one host'],
  ])('the parameters of a Redis URL are rejected in %s', (url, message) => {
    expect(() => parseRedisUrl(url)).toThrow(message);
  });
});
