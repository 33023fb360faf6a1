import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSchema } from 'graphql';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAdminHandler } from '../../src/admin/create-admin-handler.js';
import type { RuleInput, TierInput } from '../../src/rules/policy/parse-policy.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../src/tollgate/tollgate-options.js';
import { uniqueName } from '../helpers/servers.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';

// These tests check that a server with createTollgate identifies its callers as the platform does.
// They use a real Apollo Server over real HTTP, keys from the real admin API, and tokens of an
// issuer that publishes its keys.

const SCHEMA = buildSchema('type Query { item: Int }');
const TIERS: TierInput[] = [
  { name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true },
  { name: 'pro', capacity: 1000, refillAmount: 1, refillPeriodMs: 86_400_000 },
];

let database: TestDatabase;
let minted: string;
const user = uniqueName('holder');
let issuer: Server;
let jwksUrl: string;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;

beforeAll(async () => {
  database = await openServerDatabase();
  const platform = await createTollgate({ schema: SCHEMA, postgres: database.db, tiers: TIERS, logger: silent() });
  minted = await mintKey(platform);
  await platform.close();
  keys = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'a', alg: 'ES256', use: 'sig' };
  issuer = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => issuer.once('listening', resolve));
  jwksUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  issuer.close();
  await database.dispose();
});

/** Creates a key as an administrator of the platform does. */
async function mintKey(platform: Tollgate): Promise<string> {
  const handler = await createAdminHandler({ tollgate: platform, token: 'the-token-of-this-test', logger: silent() });
  const server = createServer(handler).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer the-token-of-this-test' },
    body: JSON.stringify({
      query: `mutation { 
        subjectAssignTier(input: { user: "${user}", tier: "pro" }) { userErrors { message } }
        apiKeyCreate(input: { user: "${user}" }) { secret }
      }`,
    }),
  });
  const { data } = (await response.json()) as { data: { apiKeyCreate: { secret: string } } };
  await handler.close();
  server.close();
  server.closeAllConnections();
  return data.apiKeyCreate.secret;
}

interface Logged {
  info: string[];
  warnings: string[];
}

function silent(logged?: Logged) {
  return {
    info: (message: unknown) => void logged?.info.push(String(message)),
    warn: (message: unknown) => void logged?.warnings.push(String(message)),
    error() {},
  };
}

type Context = { req?: unknown; session?: { user: string } };

async function serve(
  options: Partial<TollgateOptions<Context>>,
  context: (request: { req: import('node:http').IncomingMessage }) => Promise<Context> = async ({ req }) => ({ req }),
) {
  const logged: Logged = { info: [], warnings: [] };
  const tollgate = await createTollgate<Context>({ schema: SCHEMA, tiers: TIERS, logger: silent(logged), ...options });
  const server = new ApolloServer<Context>({
    schema: SCHEMA,
    plugins: [tollgate.plugin()],
    stopOnTerminationSignals: false,
  });
  const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' }, context });
  onTestFinished(async () => {
    await server.stop();
    await tollgate.close();
  });
  async function ask(headers: Record<string, string> = {}, query = '{ item }') {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'graphql-cost': 'full', ...headers },
      body: JSON.stringify({ query }),
    });
    const { errors, extensions } = (await response.json()) as {
      errors?: { extensions: { code: string } }[];
      extensions?: { cost?: { throttleStatus: { maximumAvailable: number; currentlyAvailable: number } } };
    };
    const { maximumAvailable: size, currentlyAvailable: left } = extensions?.cost?.throttleStatus ?? {};
    return { status: response.status, code: errors?.[0]?.extensions.code, size, left };
  }
  /** Returns the tokens taken from the bucket of a subject, according to the counters. */
  const used = async (subject: Parameters<Tollgate['quota']>[0]) =>
    (await tollgate.quota(subject)).find(({ rule }) => rule.startsWith('tier:'))?.used;
  return { ask, used, logged, tollgate };
}

const tokenOf = (claims: Record<string, string>, key = keys.privateKey) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'a' })
    .setIssuer('https://issuer.test/')
    .setAudience('shop')
    .setExpirationTime('5 minutes')
    .sign(key);
const jwt = () => ({ jwksUrl, issuer: 'https://issuer.test/', audience: 'shop', algorithms: ['ES256'] });

describe('a protected server with PostgreSQL', () => {
  it('a key from the platform gives its holder their stored tier', async () => {
    const { ask, used } = await serve({ postgres: database.db });
    for (const header of [{ 'x-api-key': minted }, { authorization: `Bearer ${minted}` }]) {
      expect(await ask(header)).toMatchObject({ status: 200, size: 1000 });
    }
    expect(await ask()).toMatchObject({ status: 200, size: 100 });
    expect(await used({ ip: '127.0.0.1' })).toBe(1);
  });

  it('an unknown key is rejected with 401, and the address of its sender pays the fee', async () => {
    const { ask, used } = await serve({ postgres: database.db });
    expect(await ask({ 'x-api-key': 'tg_nobody_has_it' })).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(await used({ ip: '127.0.0.1' })).toBe(1);
  });

  it('a rule by address applies to callers that `identify` names, whatever their names are', async () => {
    const logins: RuleInput = {
      name: 'logins',
      scope: 'IP',
      field: 'Query.item',
      measure: 'CALLS',
      limits: [{ algorithm: 'FIXED_WINDOW', amount: 2, windowMs: 86_400_000 }],
    };
    const fromHere: RuleInput = { ...logins, scope: 'GLOBAL', match: { addresses: ['127.0.0.0/8'] } };
    for (const rule of [logins, fromHere]) {
      let names = 0;
      const { ask } = await serve({ rules: [rule], identify: () => ({ user: `name-${names++}` }) });
      for (const status of [200, 200, 429]) expect(await ask()).toMatchObject({ status });
    }
  });

  it('`identity.request` that returns no HTTP request of Node causes an error that names the option', async () => {
    const received: unknown[] = [];
    const { tollgate } = await serve({
      identity: { request: () => new Request('http://shop.test/') as never },
      logger: { info() {}, warn() {}, error: (error: unknown) => void received.push(error) },
    });
    expect(await tollgate.protect({ query: '{ item }' })).toMatchObject({ admitted: false, answer: { status: 500 } });
    expect(inspect(received)).toMatch(/identity\.request: expected Node's HTTP request/);
  });

  it('a tenant that `identify` names without a user has one bucket for all addresses', async () => {
    let last = 0;
    const { ask } = await serve({ identify: () => ({ tenant: 'shop' }) }, async ({ req }) => ({
      req: { headers: req.headers, socket: { remoteAddress: `192.0.2.${++last}` } },
    }));
    for (const left of [99, 98]) expect(await ask()).toMatchObject({ left });
  });

  it('`identify` runs first, and API keys count for callers that it does not name', async () => {
    const { ask, used } = await serve(
      { postgres: database.db, identify: ({ contextValue }) => ({ user: contextValue.session?.user }) },
      async ({ req }) => ({ req, ...(req.headers.cookie && { session: { user: 'ada' } }) }),
    );
    expect(await ask({ cookie: 'a', 'x-api-key': minted })).toMatchObject({ size: 100 });
    expect(await used({ user: 'ada' })).toBe(1);
    expect(await ask({ 'x-api-key': minted })).toMatchObject({ size: 1000 });
    expect(await ask({ 'x-api-key': 'tg_nobody_has_it' })).toMatchObject({ status: 401 });
  });

  it('a disabled caller is rejected, also if `identify` names them', async () => {
    const { ask, tollgate } = await serve({ postgres: database.db, identify: () => ({ user: 'shut-out' }) });
    await tollgate.store!.disableSubject({ user: 'shut-out', disabled: true }, { name: 'a', authMethod: 'SYSTEM' });
    await expect.poll(async () => (await ask()).status).toBe(401);
  });
});

describe('a protected server without PostgreSQL', () => {
  it('a server without PostgreSQL logs that it looks up no keys, and charges their holders by address', async () => {
    const { ask, used, logged } = await serve({});
    expect(logged.info.join()).toMatch(/API keys are not looked up/);
    expect(await ask({ 'x-api-key': minted })).toMatchObject({ status: 200, size: 100 });
    expect(await used({ ip: '127.0.0.1' })).toBe(1);
  });

  it('`identity.jwt` identifies the user of a token and rejects a forged one', async () => {
    const { ask, used } = await serve({ identity: { jwt: { ...jwt(), tenantClaim: 'org' } } });
    const authorization = `Bearer ${await tokenOf({ sub: 'grace', org: 'navy' })}`;
    expect(await ask({ authorization })).toMatchObject({ status: 200 });
    expect(await used({ user: 'grace', tenant: 'navy' })).toBe(1);
    const forged = await tokenOf({ sub: 'grace' }, (await generateKeyPair('ES256')).privateKey);
    expect(await ask({ authorization: `Bearer ${forged}` })).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(await ask({ authorization: 'Basic Z3JhY2U6' })).toMatchObject({ status: 401 });
    // Each of the two rejections costs the fee of one token.
    expect(await used({ ip: '127.0.0.1' })).toBe(2);
  });

  it('unverified tokens are ignored with one warning, and their senders are charged by address', async () => {
    const { ask, used, logged } = await serve({});
    for (let times = 0; times < 3; times++) {
      expect(await ask({ authorization: 'Bearer of.another.issuer' })).toMatchObject({ status: 200 });
    }
    expect(logged.warnings.filter((text) => /identity\.jwt/.test(text))).toHaveLength(1);
    expect(await used({ ip: '127.0.0.1' })).toBe(3);
  });

  it('X-Forwarded-For is used only behind the number of proxies in `identity.trustedProxies`', async () => {
    const forwarded = { 'x-forwarded-for': '198.51.100.7' };
    const alone = await serve({});
    await alone.ask(forwarded);
    expect(await alone.used({ ip: '127.0.0.1' })).toBe(1);
    const behindOne = await serve({ identity: { trustedProxies: 1 } });
    await behindOne.ask(forwarded);
    expect(await behindOne.used({ ip: '198.51.100.7' })).toBe(1);
  });

  it('a context without a request causes one warning, because all callers share one bucket', async () => {
    const { ask, logged } = await serve({}, async () => ({}));
    await ask();
    expect(await ask()).toMatchObject({ status: 200, left: 98 });
    expect(logged.warnings.filter((text) => /identity\.request/.test(text))).toHaveLength(1);
  });

  it('`identity.request` lets Tollgate find the request in another member of the context', async () => {
    const { ask, used } = await serve(
      { identity: { request: (context) => (context as { at: { req: import('node:http').IncomingMessage } }).at.req } },
      async ({ req }) => ({ at: { req } }) as Context,
    );
    await ask();
    expect(await used({ ip: '127.0.0.1' })).toBe(1);
  });
});

it('all mistakes in `identity` are reported together, before any connection is opened', async () => {
  const identity = {
    jwks: true,
    apiKeys: true,
    trustedProxies: true,
    request: 'req',
    jwt: { jwksUrl: 'issuer', issuer: '', audience: 'shop', algorithms: ['HS256'] },
  } as unknown as NonNullable<TollgateOptions['identity']>;
  const failure = await createTollgate({ schema: SCHEMA, identity }).catch((error: Error) => error);
  expect(failure).toBeInstanceOf(TypeError);
  for (const place of [
    'jwks:',
    'apiKeys: expected together with `postgres`',
    'trustedProxies:',
    'request:',
    'jwt.jwksUrl:',
    'jwt.issuer:',
    'jwt.algorithms:',
  ]) {
    expect(String(failure)).toContain(`identity.${place}`);
  }
});
