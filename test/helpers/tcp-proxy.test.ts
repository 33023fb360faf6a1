import { once } from 'node:events';
import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
import { until } from './until.js';

let server: Server;
let proxy: TcpProxy;
/**
 * Requests that the server received, in order. It replies to each request with the request in
 * capitals.
 */
let received: string[];
let clients: Client[];

interface Client {
  socket: Socket;
  answers: string[];
  /** End of the connection, as the client sees it. */
  ended: string | undefined;
}

beforeEach(async () => {
  received = [];
  clients = [];
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received.push(data.toString());
      socket.write(data.toString().toUpperCase());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  proxy = await startTcpProxy(`redis://127.0.0.1:${address.port}`);
});
afterEach(async () => {
  for (const { socket } of clients) socket.destroy();
  await proxy.close();
  server.close();
});

function connect(): Client {
  const client: Client = { socket: openSocket(proxy.port, '127.0.0.1'), answers: [], ended: undefined };
  client.socket.on('data', (data) => client.answers.push(data.toString()));
  client.socket.on('error', (error: NodeJS.ErrnoException) => {
    client.ended = error.code;
  });
  client.socket.on('close', () => {
    client.ended ??= 'closed';
  });
  clients.push(client);
  return client;
}

async function ask(client: Client, request: string): Promise<void> {
  const before = client.answers.length;
  client.socket.write(request);
  await until(`an answer to ${request}`, () => client.answers.length > before);
}

describe('TCP proxy', () => {
  it('the proxy passes on requests and responses', async () => {
    const client = connect();
    await ask(client, 'one');
    await ask(client, 'two');
    expect(client.answers).toEqual(['ONE', 'TWO']);
    expect(proxy.url).toBe(`redis://127.0.0.1:${proxy.port}`);
  });

  it('the proxy delays responses and keeps their order, even when the delay ends', async () => {
    const client = connect();
    await ask(client, 'one');
    await proxy.set({ kind: 'delay', ms: 100 });
    const startedMs = performance.now();
    client.socket.write('two');
    await until('the response waits', () => proxy.delayed() === 1);
    await proxy.set({ kind: 'pass' });
    client.socket.write('three');
    await until('both responses arrive', () => client.answers.join('') === 'ONETWOTHREE');
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(99);
  });

  it.each([
    'silence',
    'reset',
  ] as const)('the proxy drops one response of many and then the connection, with the outcome %s', async (seenAs) => {
    const client = connect();
    await ask(client, 'one');
    await proxy.set({ kind: 'drop-replies', count: 1, to: 'evalsha', seenAs });
    await ask(client, 'ping');
    client.socket.write('evalsha');
    await until('the response is lost', () => proxy.dropped() === 1);
    expect(received).toEqual(['one', 'ping', 'evalsha']);
    if (seenAs === 'reset') await until('the connection is reset', () => client.ended === 'ECONNRESET');
    client.socket.write('more');
    const other = connect();
    await ask(other, 'evalsha');
    expect(client.answers).toEqual(['ONE', 'PING']);
    expect(received).not.toContain('more');
  });

  it('the proxy is a black hole for open and new connections, and delivers the delayed data when it recovers', async () => {
    const client = connect();
    await ask(client, 'one');
    await proxy.set({ kind: 'black-hole' });
    client.socket.write('two');
    const late = connect();
    await once(late.socket, 'connect');
    late.socket.write('three');
    await until('both connections are open', () => proxy.connections() === 2);
    expect(received).toEqual(['one']);
    await proxy.set({ kind: 'pass' });
    await until('the delayed responses arrive', () => client.answers.length === 2 && late.answers.length === 1);
  });

  it('the proxy leaves open connections dead and silent when they are half open, and accepts new ones', async () => {
    const client = connect();
    await ask(client, 'one');
    await proxy.set({ kind: 'half-open' });
    client.socket.write('two');
    const fresh = connect();
    await ask(fresh, 'three');
    expect(received).toEqual(['one', 'three']);
    expect(client).toMatchObject({ answers: ['ONE'], ended: undefined });
  });

  it('the proxy resets open and new connections until it passes data again', async () => {
    const client = connect();
    await ask(client, 'one');
    await proxy.set({ kind: 'reset' });
    await until('the connection is reset', () => client.ended === 'ECONNRESET');
    const rejected = connect();
    await until('the new connection is reset', () => rejected.ended !== undefined);
    await proxy.set({ kind: 'pass' });
    await ask(connect(), 'two');
  });

  it('the proxy rejects connections, and then listens on the same port again', async () => {
    const client = connect();
    await ask(client, 'one');
    await proxy.set({ kind: 'refuse' });
    await until('the open connection is reset', () => client.ended === 'ECONNRESET');
    const rejected = connect();
    await until('the new connection is rejected', () => rejected.ended === 'ECONNREFUSED');
    await proxy.set({ kind: 'delay', ms: 1 });
    await ask(connect(), 'two');
    expect(received).toEqual(['one', 'two']);
  });
});
