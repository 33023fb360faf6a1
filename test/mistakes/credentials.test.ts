import { ApolloServer, HeaderMap } from '@apollo/server';
import { buildSchema, type GraphQLError } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAdminAuthenticator } from '../../src/admin/context/create-admin-authenticator.js';
import { createIdentifier, type IdentifierOptions } from '../../src/identity/create-identifier.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

const KEY = 'tg_0123456789ab_secretsecretsecret';
const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl';
const subjects: IdentifierOptions['subjects'] = {
  holderOf: async () => undefined,
  knowsKey: () => false,
  resolve: async (subject) => ({ subject, disabled: false }),
};

async function rejectionOf(
  headers: Record<string, string>,
  options: Partial<IdentifierOptions> = {},
): Promise<GraphQLError> {
  const identify = createIdentifier({ subjects, verifyToken: undefined, ...options });
  return identify({ header: (name) => headers[name], ip: '192.0.2.1' }).then(
    (subject) => {
      throw new Error(`expected a rejection, got ${JSON.stringify(subject)}`);
    },
    (error: GraphQLError) => error,
  );
}

describe('invalid credentials', () => {
  it.each([
    [
      'a key of another platform',
      { 'x-api-key': KEY },
      'unknown, expired or revoked; keys work only on servers that share the database they were created in',
    ],
    ['a key with its scheme', { 'x-api-key': `Bearer ${KEY}` }, 'x-api-key: expected only the key, without "Bearer"'],
    ['a token as a key', { 'x-api-key': TOKEN }, 'this is a token, not an API key: send it as "Authorization: Bearer"'],
    ['the token of an administrator as a key', { 'x-api-key': 'tga_secret' }, 'which only the admin API accepts'],
    [
      'the token of an administrator as a token',
      { authorization: 'Bearer tga_secret' },
      'which only the admin API accepts',
    ],
    [
      'a token on a server that accepts none',
      { authorization: `Bearer ${TOKEN}` },
      'this server does not accept tokens: send an API key as x-api-key',
    ],
    [
      'a key without a scheme',
      { authorization: KEY },
      'send an API key as x-api-key, or as "Authorization: Bearer" and the key',
    ],
    [
      'a key under another scheme',
      { authorization: `ApiKey ${KEY}` },
      'send an API key as x-api-key, or as "Authorization: Bearer" and the key',
    ],
    ['a key in another header', { 'api-key': KEY }, 'send an API key as x-api-key, not as api-key'],
    [
      'a password',
      { authorization: 'Basic YW5uOnNlY3JldA==' },
      'expected "Authorization: Bearer" with a key or a token',
    ],
  ])('an invalid credential is rejected with the fix and without its value: %s', async (_, headers, message) => {
    const rejection = await rejectionOf(headers);
    expect(rejection.extensions).toMatchObject({ code: 'UNAUTHENTICATED', http: { status: 401 } });
    expect(rejection.message).toContain(message);
    expect(rejection.message).not.toMatch(/secret|0123456789ab|eyJ|YW5u/);
  });

  it('a key in the wrong header is rejected even if Tollgate ignores tokens', async () => {
    const ignored = { keys: false, tokens: true };
    expect((await rejectionOf({ authorization: KEY }, { ignored })).message).toContain('send an API key as x-api-key');
    const identify = createIdentifier({ subjects, verifyToken: undefined, ignored });
    const header = (name: string) => (name === 'authorization' ? 'Basic YW5uOnNlY3JldA==' : undefined);
    expect(await identify({ header, ip: '192.0.2.1' })).toEqual({ ip: '192.0.2.1' });
  });
});

describe('the admin API', () => {
  it('the admin API rejects an API key and asks for an admin token', async () => {
    const authenticate = createAdminAuthenticator({ token: 'the-token-of-this-test' });
    const rejection = await authenticate(`Bearer ${KEY}`).catch((error: GraphQLError) => error);
    expect(rejection).toMatchObject({
      message: expect.stringContaining('this is an API key; send "Authorization: Bearer" with an admin token'),
      extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } },
    });
  });
});

describe('a protected server without PostgreSQL', () => {
  it.each([
    [{ 'x-api-key': KEY }, /^A request had an API key of Tollgate, but no PostgreSQL .* Set postgres/],
    [{ authorization: `Bearer ${KEY}` }, /^A request had an API key of Tollgate/],
    [{ authorization: `Bearer ${TOKEN}` }, /^A request had a token, but no token issuer is configured/],
    [{ 'x-api-key': 'of another product' }, undefined],
  ])('a server without PostgreSQL warns once of a credential that it cannot check: %j', async (headers, warning) => {
    const schema = buildSchema('type Query { a: Int }');
    const warnings: string[] = [];
    const logger = { info() {}, warn: (message: string) => void warnings.push(message), error() {} };
    const tollgate = await createTollgate({ schema, logger, identity: { request: () => undefined } });
    const server = new ApolloServer({ schema, plugins: [tollgate.plugin()], stopOnTerminationSignals: false });
    await server.start();
    onTestFinished(async () => {
      await server.stop();
      await tollgate.close();
    });
    const http = { method: 'POST', headers: new HeaderMap(Object.entries(headers)), search: '', body: {} };
    for (let asked = 0; asked < 3; asked++)
      await server.executeOperation({ query: '{ a }', http }, { contextValue: {} });
    const logged = warnings.filter((text) => text.startsWith('A request had'));
    expect(logged).toEqual(warning ? [expect.stringMatching(warning)] : []);
  });
});
