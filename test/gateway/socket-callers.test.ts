import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { type Client, createClient } from 'graphql-ws';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { GatewaySettings } from '../../src/gateway/gateway-settings.js';
import { until } from '../helpers/until.js';
import { type OpenGateway, openGateway } from './gateway.js';
import { collect, serveSockets } from './served-sockets.js';

const SAVED = 'subscription { saved { name } }';
const ISSUER = 'https://issuer.example';
const CREDENTIALS: GatewaySettings['socketCredentials'] = [
  { path: ['token'], header: 'authorization' },
  { path: ['headers', 'x-api-key'], header: 'x-api-key' },
];
const ONE_SOCKET = {
  name: 'sockets',
  scope: 'USER' as const,
  field: '*',
  measure: 'CONNECTIONS' as const,
  limits: [{ algorithm: 'CONCURRENCY' as const, capacity: 1, leaseMs: 60_000 }],
};

describe('callers of WebSockets through the gateway', () => {
  let upstream: Awaited<ReturnType<typeof serveSockets>>;
  let gateway: OpenGateway;
  let sign: (user: string, validForS: number) => Promise<string>;
  const clients: Client[] = [];
  beforeAll(async () => {
    upstream = await serveSockets();
    const keys = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'a', alg: 'ES256', use: 'sig' };
    const issuer = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => issuer.once('listening', resolve));
    afterAll(() => void issuer.close());
    sign = (user, validForS) =>
      new SignJWT({ sub: user })
        .setProtectedHeader({ alg: 'ES256', kid: 'a' })
        .setIssuer(ISSUER)
        .setAudience('api')
        .setExpirationTime(Math.floor(Date.now() / 1000) + validForS)
        .sign(keys.privateKey);
    const env = {
      TOLLGATE_JWT_JWKS_URL: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/`,
      TOLLGATE_JWT_ISSUER: ISSUER,
      TOLLGATE_JWT_AUDIENCE: 'api',
    };
    gateway = await openGateway(upstream.url, { socketCredentials: CREDENTIALS }, env, 1000, [ONE_SOCKET]);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.dispose();
    await until('the API has no socket', () => upstream.server.clients.size === 0);
  });

  function connect(options: Partial<Parameters<typeof createClient>[0]>) {
    const codes: number[] = [];
    const reasons: string[] = [];
    const client = createClient({
      url: gateway.url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      ...options,
      on: {
        closed(event) {
          const { code, reason } = event as { code: number; reason: string };
          codes.push(code);
          reasons.push(reason);
        },
      },
    });
    clients.push(client);
    return { client, codes, reasons };
  }

  /** Opens a socket that must be closed. Resolves to the code and the reason. */
  async function rejected(connectionParams: Record<string, unknown>) {
    const { client, codes, reasons } = connect({ connectionParams });
    await collect(client, SAVED).over();
    await until('the socket is closed', () => codes.length > 0);
    return { code: codes[0], reason: reasons[0] };
  }

  it('a token in connectionParams pays for the operations, and a stock client reconnects with a new one when it expires', async () => {
    const before = await gateway.left();
    const reached = upstream.inits.length;
    let asked = 0;
    const { client, codes, reasons } = connect({
      retryAttempts: 10,
      retryWait: async () => {},
      // The gateway tolerates clocks that differ by five seconds.
      connectionParams: async () => ({ token: await sign('ann', asked++ === 0 ? 1 : 600) }),
    });
    const events = collect(client, SAVED);
    await until('the API has the subscription', () => upstream.listeners.size === 1);
    const { openStreams } = await gateway.admin(
      '{ openStreams(first: 5, filter: { kind: CONNECTION }) { nodes { caller { user } } } }',
    );
    expect(openStreams.nodes).toEqual([{ caller: { user: 'ann' } }]);
    upstream.publish('a');
    await events.has(1);
    await until('the token has expired', () => codes.length === 1);
    expect(codes[0]).toBe(4403);
    expect(reasons[0]).toMatch(/^UNAUTHENTICATED: /);
    // The first socket and its subscription may end after the client has connected again.
    await until('the client has subscribed again', () => upstream.inits.length === reached + 2);
    await until('the first socket has ended', () => upstream.server.clients.size === 1);
    await until('the API has the new subscription', () => upstream.listeners.size === 1);
    upstream.publish('b');
    await events.has(2);
    expect(events.results).toMatchObject([{ data: { saved: { name: 'a' } } }, { data: { saved: { name: 'b' } } }]);
    expect(await gateway.left()).toBe(before);
    expect(upstream.inits.at(-1)).toMatchObject({ token: expect.stringMatching(/^ey/) });
  });

  it('an API key in connectionParams identifies its holder, and never reaches the API', async () => {
    const made = await gateway.admin(`mutation {
      subjectAssignTier(input: { user: "bob", tier: "free" }) { userErrors { message } }
      apiKeyCreate(input: { user: "bob", name: "test" }) { secret userErrors { message } }
    }`);
    const key: string = made.apiKeyCreate.secret;
    expect(key).toMatch(/^tg_/);
    const before = await gateway.left();
    const { client } = connect({ connectionParams: { headers: { 'x-api-key': key }, locale: 'sv' } });
    const result = collect(client, '{ items(first: 4) { name } }');
    await result.over();
    expect(result.results).toMatchObject([{ data: { items: [{}, {}] } }]);
    expect(await gateway.left()).toBe(before);
    expect(upstream.inits.at(-1)).toEqual({ headers: {}, locale: 'sv' });
  });

  it('an invalid credential closes the socket with 4403 before the API sees it, and its address pays the fee', async () => {
    const before = await gateway.left();
    const reached = upstream.inits.length;
    expect(await rejected({ token: 'nonsense' })).toEqual({
      code: 4403,
      reason: expect.stringMatching(/^UNAUTHENTICATED: /),
    });
    expect(await rejected({ headers: { 'x-api-key': 'tg_unknown' } })).toMatchObject({ code: 4403 });
    expect(await rejected({ token: 7 })).toEqual({
      code: 4400,
      reason: 'BAD_REQUEST: Bad request: connectionParams.token: expected a string, got number',
    });
    await until('the fees are charged', async () => before - (await gateway.left()) === 3);
    expect(upstream.inits.length).toBe(reached);
  });

  it('a limit on the sockets of a caller counts the caller of connectionParams, not the address', async () => {
    const token = await sign('eve', 600);
    const first = connect({ connectionParams: { token } });
    collect(first.client, SAVED);
    await until('the first socket is open', () => upstream.listeners.size === 1);
    await until('the list names the caller of the only socket, once', async () => {
      const { openStreams } = await gateway.admin(
        '{ openStreams(filter: { kind: CONNECTION }) { totalCount nodes { caller { user ip } transport } } }',
      );
      return isDeepStrictEqual(openStreams, {
        totalCount: 1,
        nodes: [{ caller: { user: 'eve', ip: '127.0.0.1' }, transport: 'WEBSOCKET' }],
      });
    });
    expect(await rejected({ token })).toEqual({ code: 1013, reason: expect.stringMatching(/^THROTTLED: /) });
    const other = connect({ connectionParams: { token: await sign('mallory', 600) } });
    collect(other.client, SAVED);
    await until('another caller has a socket', () => upstream.listeners.size === 2);
    await first.client.dispose();
    await until('the first socket has ended', () => upstream.listeners.size === 1);
    const again = connect({
      connectionParams: { token },
      retryAttempts: Number.POSITIVE_INFINITY,
      retryWait: () => new Promise((resolve) => setTimeout(resolve, 20)),
      shouldRetry: () => true,
    });
    collect(again.client, SAVED);
    await until('the slot of the first socket is free', () => upstream.listeners.size === 2);
  });
});
