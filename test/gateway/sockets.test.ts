import type { AddressInfo } from 'node:net';
import { type Client, createClient } from 'graphql-ws';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { GatewaySettings } from '../../src/gateway/gateway-settings.js';
import { until } from '../helpers/until.js';
import { type OpenGateway, openGateway } from './gateway.js';
import { collect, serveSockets } from './served-sockets.js';

const SAVED = 'subscription { saved { name } }';

describe('WebSockets through the gateway', () => {
  let upstream: Awaited<ReturnType<typeof serveSockets>>;
  /** A gateway with the default settings. */
  let shared: OpenGateway;
  const clients: (() => unknown)[] = [];
  beforeAll(async () => {
    upstream = await serveSockets();
    shared = await openGateway(upstream.url, {}, {}, 1_000_000);
  });
  afterEach(async () => {
    for (const dispose of clients.splice(0)) dispose();
    await until('the API has no socket', () => upstream.server.clients.size === 0);
  });

  /** Opens a gateway that stops at the end of the test. */
  async function open(settings: Partial<GatewaySettings> = {}, rules: Parameters<typeof openGateway>[4] = []) {
    const gateway = await openGateway(upstream.url, settings, {}, 1_000_000, rules);
    onTestFinished(() => gateway.stop());
    return gateway;
  }

  const socketUrl = (gateway: OpenGateway) => gateway.url.replace('http', 'ws');

  function connect(gateway: OpenGateway, options: Partial<Parameters<typeof createClient>[0]> = {}): Client {
    const client = createClient({ url: socketUrl(gateway), webSocketImpl: WebSocket, retryAttempts: 0, ...options });
    clients.push(() => client.dispose());
    return client;
  }

  /** Opens a socket whose messages the test chooses. */
  async function openRaw(gateway: OpenGateway, headers: Record<string, string> = {}) {
    const socket = new WebSocket(socketUrl(gateway), 'graphql-transport-ws', { headers });
    clients.push(() => socket.terminate());
    const messages: Record<string, unknown>[] = [];
    let closed: { code: number } | undefined;
    let rejected: number | undefined;
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    socket.on('close', (code) => (closed ??= { code }));
    socket.on('unexpected-response', (_request, response) => {
      rejected = response.statusCode;
      socket.terminate();
    });
    socket.on('error', () => {});
    await until('the socket has opened or failed', () => socket.readyState !== socket.CONNECTING);
    return {
      socket,
      messages,
      send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
      has: (type: string, count = 1) =>
        until(`${count} messages ${type}`, () => messages.filter((one) => one['type'] === type).length >= count),
      closed: async () => {
        await until('the socket is closed', () => closed !== undefined);
        return closed!.code;
      },
      rejected: () => rejected,
    };
  }

  async function openReady(gateway: OpenGateway) {
    const raw = await openRaw(gateway);
    raw.send({ type: 'connection_init' });
    await raw.has('connection_ack');
    return raw;
  }

  it('a client of graphql-ws receives events and results, and pays for each', async () => {
    const gateway = shared;
    const before = await gateway.left();
    const client = connect(gateway, { connectionParams: { token: 'abc', 'x-api-key': 'tg_secret' } });
    const events = collect(client, SAVED);
    await until('the API has the subscription', () => upstream.listeners.size === 1);
    expect(upstream.inits.at(-1)).toEqual({ token: 'abc' });
    expect(upstream.handshakes.at(-1)).toMatchObject({ 'x-forwarded-for': '127.0.0.1' });
    expect(before - (await gateway.left())).toBe(1);
    upstream.publish('a');
    await events.has(1);
    upstream.publish('b');
    await events.has(2);
    expect(events.results).toMatchObject([
      { data: { saved: { name: 'a' } }, extensions: { cost: {} } },
      { data: { saved: { name: 'b' } } },
    ]);
    const query = collect(client, '{ items(first: 40) { name } }');
    await query.over();
    expect(query.results).toMatchObject([{ extensions: { cost: { requestedQueryCost: 40, actualQueryCost: 20 } } }]);
    upstream.publish('end');
    await events.over();
    expect(events.error()).toBeUndefined();
    expect(before - (await gateway.left())).toBe(1 + 2 + 20);
  });

  it('an administrator ends one subscription with an error message, and then the socket with 1008', async () => {
    const gateway = await open();
    const raw = await openReady(gateway);
    for (const name of ['First', 'Second']) {
      raw.send({ id: name, type: 'subscribe', payload: { query: `subscription ${name} { saved { name } }` } });
    }
    await until('the API has both', () => upstream.listeners.size === 2);
    const end = async (input: string) => {
      const { openStreamsEnd } = await gateway.admin(`mutation { openStreamsEnd(input: ${input}) { ended } }`);
      return openStreamsEnd.ended;
    };
    expect(await end('{ ip: "127.0.0.1", operation: "First", kind: SUBSCRIPTION }')).toBe(1);
    await raw.has('error');
    expect(raw.messages.find(({ type }) => type === 'error')).toMatchObject({
      id: 'First',
      payload: [{ extensions: { code: 'ENDED_BY_ADMINISTRATOR' } }],
    });
    await until('the API has ended the first one', () => upstream.listeners.size === 1);
    upstream.publish('a');
    await raw.has('next');
    expect(raw.messages.find(({ type }) => type === 'next')).toMatchObject({ id: 'Second' });
    expect(await end('{ ip: "127.0.0.1" }')).toBe(2);
    expect(await raw.closed()).toBe(1008);
    await until('the API has ended the second one', () => upstream.listeners.size === 0);
  });

  it('a denied operation gets an error message, and the socket and its other operations go on', async () => {
    const rule = {
      name: 'open',
      scope: 'IP' as const,
      field: '*',
      measure: 'SUBSCRIPTIONS' as const,
      limits: [{ algorithm: 'CONCURRENCY' as const, capacity: 20, leaseMs: 60_000 }],
    };
    const gateway = await open({}, [rule]);
    const raw = await openReady(gateway);
    for (let id = 0; id < 100; id++) raw.send({ id: `${id}`, type: 'subscribe', payload: { query: SAVED } });
    await raw.has('error', 80);
    await until('the API has the others', () => upstream.listeners.size === 20);
    const error = raw.messages.find(({ type }) => type === 'error');
    expect(error).toMatchObject({ payload: [{ extensions: { code: 'THROTTLED', isConcurrency: true } }] });
    upstream.publish('a');
    await raw.has('next', 20);
    expect(raw.messages.filter(({ type }) => type === 'error')).toHaveLength(80);
    // A completed subscription frees its slot for another one.
    const { id } = raw.messages.find(({ type }) => type === 'next')!;
    raw.send({ id, type: 'complete' });
    await until('the API has ended the subscription', () => upstream.listeners.size === 19);
    // The API may see the end of the subscription before its slot is free.
    let attempts = 0;
    const isUsedAgain = () => {
      if (upstream.listeners.size === 20) return true;
      raw.send({ id: `again-${attempts++}`, type: 'subscribe', payload: { query: SAVED } });
      return false;
    };
    await until('the slot is used again', isUsedAgain, 60_000, 50);
    raw.socket.terminate();
    await until('the API has ended all subscriptions', () => upstream.listeners.size === 0);
  });

  it('an invalid operation gets an error message, and an error of the API stays in the result', async () => {
    const client = connect(shared);
    const invalid = collect(client, '{ nothing }');
    await invalid.over();
    expect(invalid.error()).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    const failing = collect(client, 'query ($value: String) { echo(value: $value) }', { value: 'fail' });
    await failing.over();
    expect(failing.results).toMatchObject([{ data: { echo: null }, errors: [{ message: 'no' }] }]);
  });

  it.each([
    ['two connection_init', 4429, [{ type: 'connection_init' }, { type: 'connection_init' }]],
    ['an operation before the acknowledgement', 4401, [{ id: '1', type: 'subscribe', payload: { query: SAVED } }]],
    ['an unknown type', 4400, [{ type: 'start' }]],
    ['no JSON', 4400, ['{']],
    ['a message that is too large', 1009, ['x'.repeat(200_000)]],
  ] as const)('a socket that sends %s is closed with %i', async (_, code, messages) => {
    const raw = await openRaw(shared);
    for (const message of messages) raw.send(message);
    expect(await raw.closed()).toBe(code);
  });

  it('an id that is in use closes the socket with 4409', async () => {
    const raw = await openReady(shared);
    for (let i = 0; i < 2; i++) raw.send({ id: '1', type: 'subscribe', payload: { query: SAVED } });
    expect(await raw.closed()).toBe(4409);
  });

  it('a socket without connection_init is closed with 4408, and its caller pays the fee', async () => {
    const gateway = await open();
    const before = await gateway.left();
    const raw = await openRaw(gateway);
    expect(await raw.closed()).toBe(4408);
    await until('the fee is charged', async () => before - (await gateway.left()) === 1);
  });

  it('operations above the maximum of a socket get an error and pay the fee', async () => {
    const gateway = await open({ maxSocketOperations: 1 });
    const raw = await openReady(gateway);
    raw.send({ id: '1', type: 'subscribe', payload: { query: SAVED } });
    await until('the API has the subscription', () => upstream.listeners.size === 1);
    const before = await gateway.left();
    raw.send({ id: '2', type: 'subscribe', payload: { query: SAVED } });
    await raw.has('error');
    expect(raw.messages.at(-1)).toMatchObject({ id: '2', payload: [{ extensions: { code: 'THROTTLED' } }] });
    expect(before - (await gateway.left())).toBe(1);
  });

  it('an upgrade above CONNECTIONS gets 429, and a closed socket frees its slot', async () => {
    const gateway = await open({}, [
      {
        name: 'sockets',
        scope: 'IP',
        field: '*',
        measure: 'CONNECTIONS',
        limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 60_000 }],
      },
    ]);
    const first = await openReady(gateway);
    expect((await openRaw(gateway)).rejected()).toBe(429);
    first.socket.close();
    await until('the slot is free', async () => (await openRaw(gateway)).rejected() === undefined);
  });

  it('a page of another origin cannot open a WebSocket', async () => {
    expect((await openRaw(shared, { origin: 'https://evil.example' })).rejected()).toBe(400);
    expect((await openRaw(shared, { origin: new URL(shared.url).origin })).rejected()).toBeUndefined();
  });

  it('the close code with which the API forbids a connection reaches the client', async () => {
    upstream.forbid(4403);
    const raw = await openRaw(shared);
    raw.send({ type: 'connection_init', payload: { token: 'expired' } });
    expect(await raw.closed()).toBe(4403);
    upstream.forbid(undefined);
  });

  it('an API that breaks off ends the operations with an error, and the socket with a code to try again', async () => {
    const raw = await openReady(shared);
    raw.send({ id: '1', type: 'subscribe', payload: { query: SAVED } });
    await until('the API has the subscription', () => upstream.listeners.size === 1);
    for (const socket of upstream.server.clients) socket.terminate();
    expect(await raw.closed()).toBe(1013);
    expect(raw.messages.at(-1)).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
    });
  });

  it('an API that never acknowledges the connection closes the socket with a code to try again', async () => {
    const silent = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await until('the server listens', () => silent.address() !== null);
    const upstreamSocket = `ws://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const raw = await openRaw(await open({ upstreamSocket, upstreamTimeoutMs: 300 }));
    raw.send({ type: 'connection_init' });
    expect(await raw.closed()).toBe(1013);
    silent.close();
  });

  it('a gateway that stops ends the operations with SUBSCRIPTION_ENDED, and the socket with 1001', async () => {
    const gateway = await open();
    const raw = await openReady(gateway);
    raw.send({ id: '1', type: 'subscribe', payload: { query: SAVED } });
    await until('the API has the subscription', () => upstream.listeners.size === 1);
    await gateway.stop();
    expect(await raw.closed()).toBe(1001);
    expect(raw.messages.at(-1)).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'SUBSCRIPTION_ENDED' } }],
    });
  });
});
