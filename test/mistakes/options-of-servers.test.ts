import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createAdminHandler } from '../../src/entry/admin.js';
import { loadConfig, startServer } from '../../src/entry/server.js';

const schema = buildSchema('type Query { a: Int }');

/**
 * Returns the message of the promise's rejection, which must be a TypeError about a mistake of the
 * user.
 */
async function rejectionOf(starting: Promise<unknown>): Promise<string> {
  const error = await starting.then(
    () => new Error('it started'),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(TypeError);
  return error.message;
}

describe('startServer', () => {
  const config = loadConfig({ env: {} });

  it.each([
    ['an unknown option', { schemas: schema }, 'schemas: unknown option; did you mean schema?'],
    [
      'SDL',
      { schema: 'type Query { a: Int }' },
      'schema: expected a GraphQLSchema, got a string: pass makeExecutableSchema',
    ],
    [
      'an unknown member of the configuration',
      { config: { ...config, redisURL: 'redis://x' } },
      'config.redisURL: unknown option; did you mean redisUrl?',
    ],
    [
      'an incomplete configuration',
      { config: { port: 4000 } },
      /^config: expected all members of loadConfig\(\), such as .*; missing: embedded, demo, (?:\w+, )*host, /,
    ],
    [
      'a database URL with another scheme',
      { config: { ...config, databaseUrl: 'mysql://ann:hunter2@x/y' } },
      'config.databaseUrl: expected a URL that begins with postgres:// or postgresql://, got one that begins with mysql://',
    ],
    [
      'a database URL with a character that ends the password',
      { config: { ...config, databaseUrl: 'postgres://ann:hun/ter2@x/y' } },
      /^config\.databaseUrl: expected the user and the password .* percent-encoded: .*; got another value$/,
    ],
    ['a setting at the wrong level', { port: 4000 }, 'port: unknown option; did you mean config.port?'],
    [
      'an invalid tier',
      { tiers: [{ name: 'a', capacity: 0, refillAmount: 1, isDefault: true }] },
      'tiers[0] ("a").capacity: expected a whole number from 1 to ',
    ],
    [
      'an unknown cost option',
      { cost: { defaultListSizes: 3 } },
      'cost.defaultListSizes: unknown option; did you mean defaultListSize?',
    ],
    [
      'a context that is not a function',
      { context: { user: 'ann' } },
      'context: expected a function, such as (request) =>',
    ],
  ])('startServer rejects %s before it opens any connection or port', async (_, options, message) => {
    expect(await rejectionOf(startServer(options as never))).toEqual(
      typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    );
  });

  it('startServer lists all mistakes in one error and shows no password', async () => {
    const options = {
      schema: 1,
      config: { ...config, redisUrl: 'http://:hunter2@x', databaseUrl: 'mysql://:hunter2@x' },
      rules: [{}],
      service: 'a b',
    };
    const message = await rejectionOf(startServer(options as never));
    expect(message).toMatch(/^startServer: \d mistakes in its options\n/);
    for (const place of ['schema:', 'config.redisUrl:', 'config.databaseUrl:', 'rules\\[0\\]', 'service:']) {
      expect(message).toMatch(new RegExp(`^ {2}${place}`, 'm'));
    }
    expect(message).not.toContain('hunter2');
  });
});

describe('createAdminHandler', () => {
  it.each([
    ['a missing Tollgate', {}, 'tollgate: expected the object that createTollgate resolves to, got undefined'],
    [
      'a promise of a Tollgate',
      { tollgate: Promise.resolve({}) },
      'tollgate: expected the object that createTollgate resolves to, got a Promise: await it',
    ],
    [
      'a path without a leading slash',
      { basePath: 'tollgate/' },
      'basePath: expected a path such as "/tollgate", got "tollgate/"',
    ],
    ['an unknown option', { path: '/tollgate' }, 'path: unknown option; did you mean basePath?'],
    ['an empty token, such as from an unset variable', { token: '' }, 'token: expected a non-empty string, got ""'],
    ['trust in every proxy', { trustedProxies: true }, 'trustedProxies: expected the number of proxies in front'],
    [
      'a logger without methods',
      { logger: {} },
      "logger: expected pino's logger, or another with info, warn and error, got an object",
    ],
  ])('createAdminHandler rejects %s', async (_, options, message) => {
    expect(await rejectionOf(createAdminHandler(options as never))).toContain(message);
  });
});
