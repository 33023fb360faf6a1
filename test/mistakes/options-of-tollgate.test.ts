import { buildSchema } from 'graphql';
import { expect, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

const schema = buildSchema('type Query { a: Int }');
const QUIET = { info() {}, warn() {}, error() {} };
const JWT = { jwksUrl: 'https://issuer/keys', issuer: 'https://issuer', audience: 'shop', algorithms: ['RS256'] };

async function rejectionOf(options: unknown): Promise<string> {
  const error = await createTollgate(options as never).then(
    () => new Error('it started'),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(TypeError);
  return error.message;
}

it.each([
  ['redisUrl in place of redis', { redisUrl: 'redis://x' }, 'redisUrl: unknown option; did you mean redis?'],
  [
    'databaseUrl in place of postgres',
    { databaseUrl: 'postgres://x' },
    'databaseUrl: unknown option; did you mean postgres?',
  ],
  ['an option at the wrong level', { jwt: JWT }, 'jwt: unknown option; did you mean identity.jwt?'],
  [
    'a cost option at the top level',
    { defaultListSize: 5 },
    'defaultListSize: unknown option; did you mean cost.defaultListSize?',
  ],
  [
    'typeDefs',
    { typeDefs: 'type Query { a: Int }' },
    'typeDefs: unknown option; did you mean schema, made by makeExecutableSchema({ typeDefs, resolvers })?',
  ],
  [
    'a mode in small letters',
    { mode: 'shadow' },
    'mode: expected "ENFORCE" or "SHADOW", got "shadow"; did you mean "SHADOW"?',
  ],
  ['a boolean for shadow mode', { shadow: true }, "shadow: unknown option; did you mean mode: 'SHADOW'?"],
  [
    'a missing schema',
    { schema: undefined },
    'schema: expected a GraphQLSchema, got undefined: pass the schema that your server runs',
  ],
  [
    'SDL',
    { schema: 'type Query { a: Int }' },
    'got a string: pass makeExecutableSchema({ typeDefs, resolvers }) of @graphql-tools/schema, or buildSchema(text)',
  ],
  [
    'several databases',
    { postgres: 'postgres://ann:hunter2@one,two:5433/x?target_session_attrs=read-write' },
    'postgres: expected one host, such as a proxy or a name that leads to the primary even after a failover; got several',
  ],
  [
    'a database URL with another scheme',
    { postgres: 'mysql://ann:hunter2@x/y' },
    'postgres: expected a URL that begins with postgres:// or postgresql://, got one that begins with mysql://',
  ],
  [
    'a pool of pg',
    { postgres: { query() {}, connect() {}, end() {} } },
    'postgres: expected a URL such as postgres://user:password@host:5432/database, got a client or pool of pg: pass its URL',
  ],
  ['a Redis URL with another scheme', { redis: 'http://:hunter2@x' }, 'redis: expected a URL such as redis://'],
  ['an unknown denial status', { denialStatus: 503 }, 'denialStatus: expected 429 or 200, got 503'],
  [
    'an unknown document limit',
    { documentLimits: { maxDeph: 3 } },
    'documentLimits.maxDeph: unknown option; did you mean maxDepth?',
  ],
  [
    'an unknown retention option',
    { usage: { retention: { days: 5 } } },
    'usage.retention.days: unknown option; did you mean daysDays?',
  ],
  [
    'usage as true',
    { usage: true, postgres: 'postgres://x' },
    'usage: expected an object such as { flushMs: ... }, or false, got true: omit the option to enable it',
  ],
  [
    'denialMemory as true',
    { denialMemory: true },
    'denialMemory: expected an object such as { maxAgeMs: ... }, or false, got true: omit the option to enable it',
  ],
  [
    'usage without a database',
    { usage: { flushMs: 500 } },
    'usage: expected together with `postgres`, which stores usage',
  ],
  [
    'a snapshot without a database',
    { snapshotPath: 'rules.json' },
    'snapshotPath: expected together with `postgres`, whose tiers and rules the file keeps',
  ],
  [
    'an unknown member of jwt',
    { identity: { jwt: { ...JWT, jwks: 'x' } } },
    'identity.jwt.jwks: unknown option; did you mean jwksUrl?',
  ],
  [
    'an identify that is not a function',
    { identify: { user: 'ann' } },
    'identify: expected a function, such as ({ contextValue }) =>',
  ],
  [
    'a metrics option that is not a registry',
    { metrics: true },
    "metrics: expected a registry of prom-client's, such as its `register`, got true",
  ],
  [
    'an unknown observer callback',
    { observer: { onDatabaseAway() {} } },
    'observer.onDatabaseAway: unknown option; did you mean databaseAway?',
  ],
  [
    'a pool without a Redis',
    { redis: 'redis://x', pools: [{ name: 'a', fields: ['*'] }] },
    'pools[0].redis: expected a URL such as redis://127.0.0.1:6379, or a client of ioredis, got undefined',
  ],
  ['rules that are not a list', { rules: { name: 'a' } }, 'rules: expected a list, got an object'],
  [
    'an unknown member of a tier',
    { tiers: [{ name: 'a', capcity: 5, refillAmount: 1, isDefault: true }] },
    'tiers[0] ("a"): Unrecognized key: "capcity"; did you mean capacity?',
  ],
  [
    'an invalid mode of a rule',
    { rules: [{ name: 'a', scope: 'USER', field: '*', mode: 'shadow', limits: [] }] },
    'rules[0] ("a").mode: expected one of OFF, SHADOW, ENFORCE, got "shadow"; did you mean SHADOW?',
  ],
  ['a service without a database', { service: 'shop' }, 'service: expected together with `postgres`'],
  ['missing options', undefined, undefined],
])('createTollgate rejects %s', async (_, given, message) => {
  const rejection = await rejectionOf(given && { schema, logger: QUIET, ...given });
  expect(rejection).toContain(message ?? 'options: expected an object, got undefined');
  expect(rejection).not.toContain('hunter2');
});

it('createTollgate lists mistakes in members, values, nested options, tiers and rules in one error', async () => {
  const rejection = await rejectionOf({
    redisUrl: 'redis://x',
    mode: 'shadow',
    cost: { profile: 'IBM' },
    tiers: [{ name: 'a' }],
    rules: [{ name: 'b' }],
  });
  expect(rejection).toMatch(/^createTollgate: \d+ mistakes in its options\n/);
  for (const place of [
    'redisUrl',
    'schema',
    'mode',
    'cost.profile',
    'tiers[0] ("a").capacity',
    'rules[0] ("b").scope',
  ]) {
    expect(rejection).toContain(`\n  ${place}: `);
  }
});

it('access to a member of a Tollgate that was not awaited throws an error that names the missing await', async () => {
  const promise = createTollgate({ schema, logger: QUIET });
  const unawaited = promise as unknown as Awaited<typeof promise>;
  expect(() => unawaited.plugin()).toThrow('createTollgate returns a promise: await it before you use its `plugin`');
  expect(() => unawaited.protect).toThrow('createTollgate returns a promise: await it');
  await (await promise).close();
});

it('access to a member of a rejected createTollgate causes no unhandled rejection in addition to the error', async () => {
  const promise = createTollgate({ schema: undefined as never });
  expect(() => (promise as never as { plugin(): void }).plugin()).toThrow('await it');
  await expect(promise).rejects.toThrow('schema: expected a GraphQLSchema');
});
