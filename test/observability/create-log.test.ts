import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createLog } from '../../src/observability/create-log.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { type Platform, post, startPlatform } from '../helpers/platform.js';
import { startRedisServer, type TestServer, uniqueName } from '../helpers/servers.js';
import { until } from '../helpers/until.js';

function logOf(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  const keep = (line: string) => {
    text += line;
  };
  write(createLog({ level: 'trace' }, { write: keep }));
  return text;
}

describe('secrets in the log', () => {
  it.each([
    ['an authorization header', { headers: { authorization: 'Bearer canary' } }],
    ['an API key', { req: { headers: { 'x-api-key': 'canary' } } }],
    ['variables', { request: { variables: { card: 'canary' } } }],
    ['a cookie', { headers: { cookie: 'canary' } }],
    ['a token', { token: 'canary' }],
  ])('the log hides %s', (_, details) => {
    expect(logOf((log) => log.info(details, 'A request'))).not.toContain('canary');
  });

  it('in messages of other libraries, the log hides passwords in URLs, tokens and keys', () => {
    const error = new Error('connect redis://user:canary@host:1', { cause: new Error('Bearer canary of tg_canary_1') });
    const text = logOf((log) => {
      log.error({ err: error }, 'Cannot reach postgres://me:canary@db/x with tg_canary');
      log.error({ err: new AggregateError([error]) }, 'Twice');
    });
    expect(text).not.toContain('canary');
    expect(text).toContain('@host:1');
    expect(text).toContain('connect redis://');
  });

  it('the log truncates messages and errors at 16,384 characters, and hides the password of a URL at that point', () => {
    const long = `${'x'.repeat(16_370)} redis://user:canary@host:1${'y'.repeat(60_000)}`;
    const text = logOf((log) => log.error({ err: new Error(long) }, long));
    expect(text.length).toBeLessThan(4 * 16_384);
    expect(text).not.toContain('canary');
  });

  it('the log line of a failed Redis command contains no argument, password or key', async () => {
    const redis = new Redis(inject('redisUrl'), { lazyConnect: true });
    const error = await redis.call('lpush', 'canary').catch((rejection: unknown) => rejection);
    redis.disconnect();
    expect(error).toBeInstanceOf(Error);
    const text = logOf((log) => log.error({ err: error }, 'Redis rejected a command'));
    expect(text).toContain('wrong number of arguments');
    expect(text).not.toContain('canary');
  });
});

describe('the log of the platform at its most detailed level, with a Redis that stops', () => {
  let redis: TestServer;
  let platform: Platform;
  beforeAll(async () => {
    redis = await startRedisServer(['--requirepass', 'canary-redis-password']);
    const name = uniqueName('log');
    const db = await createPgDb({ url: inject('databaseUrl') });
    await db.query(`create database ${name}`);
    await db.close();
    const url = new URL(inject('databaseUrl'));
    url.pathname = `/${name}`;
    const redisUrl = redis.url.replace('redis://', 'redis://:canary-redis-password@');
    const env = { REDIS_URL: redisUrl, DATABASE_URL: url.href, LOG_LEVEL: 'trace' };
    platform = await startPlatform({ env, args: ['--demo'] });
  });
  afterAll(async () => {
    await platform.stop();
    await redis.stop();
  });

  it('the platform logs no credential, variable or password of a request or URL', async () => {
    const body = { query: 'query ($c: ID!) { country(code: $c) { name } }', variables: { c: 'canary-variable' } };
    const ask = () =>
      Promise.all([
        post(`${platform.url}/graphql?canary=canary-query`, body, {
          'x-api-key': 'demo-free',
          cookie: 'canary-cookie',
        }),
        post(`${platform.url}/graphql`, body, { 'x-api-key': 'canary-key' }),
        post(`${platform.url}/graphql`, body, { authorization: 'Bearer canary-jwt' }),
        post(`${platform.url}/admin/graphql`, body, { authorization: 'Bearer canary-admin' }),
      ]);
    await ask();
    await redis.stop();
    await ask();
    await until('the log has a line about Redis', () => /Redis/.test(platform.output().split('curl').at(-1) ?? ''));
    expect(platform.output()).not.toContain('canary');
  });
});
