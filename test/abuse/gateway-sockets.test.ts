import { createConnection } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { type OpenGateway, openGateway, serveUpstream } from '../gateway/gateway.js';
import { serveSockets } from '../gateway/served-sockets.js';
import { streamFrom } from '../gateway/streamed-upstream.js';
import { until } from '../helpers/until.js';
import { countCases } from './serve.js';

// Attacks over the WebSockets and the event streams of the gateway.

const ONE_SUBSCRIPTION = {
  name: 'one',
  scope: 'IP' as const,
  field: '*',
  measure: 'SUBSCRIPTIONS' as const,
  limits: [{ algorithm: 'CONCURRENCY' as const, capacity: 1, leaseMs: 60_000 }],
};
const SAVED = 'subscription { saved { name } }';

describe('WebSockets and event streams of the gateway', () => {
  let upstream: Awaited<ReturnType<typeof serveSockets>>;
  beforeAll(async () => {
    upstream = await serveSockets();
  });

  async function open(gateway: OpenGateway, localAddress = '127.0.0.1') {
    const socket = new WebSocket(gateway.url.replace('http', 'ws'), 'graphql-transport-ws', { localAddress });
    onTestFinished(() => socket.terminate());
    const messages: { type: string; id?: string; payload?: unknown }[] = [];
    let code: number | undefined;
    let status: number | undefined;
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    socket.on('close', (closedWith) => (code = closedWith));
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, response) => {
      status = response.statusCode;
      socket.terminate();
    });
    await until('the socket has opened or failed', () => socket.readyState !== socket.CONNECTING);
    const send = (message: object) => socket.send(JSON.stringify(message));
    return {
      socket,
      send,
      code: () => code,
      status: () => status,
      got: (type: string) => until(`a message ${type} arrives`, () => messages.some((one) => one.type === type)),
    };
  }

  async function openReady(gateway: OpenGateway) {
    const client = await open(gateway);
    client.send({ type: 'connection_init' });
    await client.got('connection_ack');
    return client;
  }

  const FLOODS: Record<string, (socket: WebSocket) => void> = {
    messages: (socket) => socket.send('{"type":"ping"}'),
    'large messages': (socket) => socket.send(JSON.stringify({ type: 'pong', payload: { text: 'x'.repeat(50_000) } })),
    'ends of unknown operations': (socket) => socket.send('{"type":"complete","id":"none"}'),
    'pings of the protocol': (socket) => socket.ping('x'.repeat(100)),
  };

  it('A52: closes sockets that flood the gateway with messages and pings, charges the fee of messages, and goes on serving others', async (context) => {
    for (const [name, flood] of Object.entries(FLOODS)) {
      const gateway = await openGateway(upstream.url);
      const before = await gateway.left();
      const attacker = await openReady(gateway);
      const other = await openReady(gateway);
      // The attacker reads nothing, so that responses would have to be buffered.
      attacker.socket.pause();
      for (let i = 0; i < 2000; i++) flood(attacker.socket);
      if (name !== 'pings of the protocol') {
        await until(`the fee of ${name} is charged`, async () => before - (await gateway.left()) === 1);
      }
      attacker.socket.resume();
      await until('the socket is closed', () => attacker.code() !== undefined);
      expect([1006, 1008]).toContain(attacker.code());
      other.send({ type: 'subscribe', id: 'a', payload: { query: '{ items(first: 2) { name } }' } });
      await other.got('complete');
      await gateway.stop();
    }
    countCases(context, 8000);
  });

  it('A53: disconnects WebSockets and event streams that read nothing, and frees their slots', async (context) => {
    const settings = { upstreamTimeoutMs: 1000 };
    const gateway = await openGateway(upstream.url, settings, {}, 1_000_000, [ONE_SUBSCRIPTION]);
    const reader = await openReady(gateway);
    reader.send({ type: 'subscribe', id: 'a', payload: { query: SAVED } });
    await until('the API has the subscription', () => upstream.listeners.size === 1);
    reader.socket.pause();
    await until('the socket is closed', () => {
      if (upstream.listeners.size > 0) for (let i = 0; i < 10; i++) upstream.publish('x'.repeat(60_000));
      return upstream.listeners.size === 0;
    });
    const next = await openReady(gateway);
    next.send({ type: 'subscribe', id: 'b', payload: { query: SAVED } });
    await until('the slot is free', () => upstream.listeners.size === 1);

    const http = await serveUpstream();
    const streams = streamFrom(http);
    const overHttp = await openGateway(http.url, settings, {}, 1_000_000, [ONE_SUBSCRIPTION]);
    const stream = await subscribeUnread(overHttp, streams);
    await until('the connection is closed', () => {
      if (!stream.isClosed) stream.send(JSON.stringify({ data: { saved: { name: 'x'.repeat(60_000) } } }));
      return stream.isClosed;
    });
    await subscribeUnread(overHttp, streams);
    countCases(context, 2);
  });

  /** Subscribes over HTTP without reading the response. */
  async function subscribeUnread(gateway: OpenGateway, streams: ReturnType<typeof streamFrom>) {
    const { port } = new URL(gateway.url);
    const socket = createConnection(Number(port), '127.0.0.1').pause();
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    const body = JSON.stringify({ query: SAVED });
    const headers = `host: a\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${body.length}`;
    socket.write(`POST /graphql HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
    return streams.next();
  }

  it('A54: closes sockets with oversize messages and sockets that never begin, which cannot keep out other callers', async (context) => {
    const gateway = await openGateway(upstream.url, { maxUpstreamSubscriptions: 100 });
    const before = await gateway.left();
    const padding = 'x'.repeat(200_000);
    const oversize = await openReady(gateway);
    oversize.send({ type: 'ping', payload: { padding } });
    await until('the socket is closed', () => oversize.code() === 1009);
    const begun = await open(gateway);
    begun.send({ type: 'connection_init', payload: { padding } });
    await until('the socket is closed', () => begun.code() === 1009);
    const nested = await open(gateway);
    const depth = 10_000;
    nested.socket.send(`{"type":"connection_init","payload":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    await until('the socket is closed', () => nested.code() === 4400);
    await until('the fees are charged', async () => before - (await gateway.left()) === 3);
    const silent = await Promise.all(Array.from({ length: 60 }, () => open(gateway)));
    // A caller gets at most a quarter of the WebSockets.
    const opened = silent.filter(({ status }) => status() === undefined);
    expect(opened).toHaveLength(25);
    expect(silent.filter(({ status }) => status() === 503)).toHaveLength(35);
    const other = await open(gateway, '127.0.0.2');
    other.send({ type: 'connection_init' });
    await other.got('connection_ack');
    await until('all silent sockets are closed', () => opened.every(({ code }) => code() === 4408));
    await until('the fees are charged', async () => before - (await gateway.left()) === 3 + 60);
    expect((await openReady(gateway)).code()).toBeUndefined();
    countCases(context, 63);
  });
});
