import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UpstreamAnswer } from '../../src/gateway/upstream/create-upstream-sender.js';
import { createUpstream, type Upstream } from '../../src/gateway/upstream/upstream.js';

/**
 * Response of the API. It is larger than the part that the gateway reads ahead without a reader,
 * and it fits into the buffers of two sockets. The API can therefore send all of it immediately.
 */
const ANSWER = Buffer.alloc(256 * 1024, 'x');
/**
 * Idle time after which the API closes a connection, counted from its last response, as in Node.js.
 */
const IDLE_MS = 5000;

describe('reuse of upstream connections', () => {
  let server: Server;
  let upstream: Upstream;
  let nowMs: number;
  let opened: number;
  beforeEach(async () => {
    nowMs = 0;
    opened = 0;
    server = createServer((request, response) => {
      request.resume().on('end', () => response.end(ANSWER));
    });
    server.on('connection', () => opened++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const options = { timeoutMs: 60_000, maxRequests: 1, now: () => nowMs };
    upstream = createUpstream({ url: `http://127.0.0.1:${port}/`, ...options });
  });
  afterEach(async () => {
    await upstream.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const ask = () => upstream.ask({ body: '{}', headers: {}, signal: new AbortController().signal, isQuery: true });

  async function readAll({ body }: UpstreamAnswer): Promise<number> {
    let bytes = 0;
    for await (const piece of body) bytes += piece.length;
    return bytes;
  }

  it.each([
    ['is reused after a response that was read immediately', 0, 1],
    ['is reused after a response whose reader paused for a second', 1000, 1],
    ['is closed after a longer pause, because the API may consider it idle', 1001, 2],
  ])('an upstream connection %s', async (_, waitedMs, connections) => {
    const answer = await ask();
    await answer.body.next();
    nowMs += waitedMs;
    await readAll(answer);
    for (let again = 0; again < 3; again++) expect(await readAll(await ask())).toBe(ANSWER.length);
    expect(opened).toBe(connections);
  });

  it('a request never fails because the API closes an idle connection just when it is reused', async () => {
    const sentMs = new Map<Socket, number>();
    server.prependListener('request', ({ socket }, response) => {
      // This simulates an API that has closed the idle connection without the client noticing it.
      if (nowMs - (sentMs.get(socket) ?? nowMs) >= IDLE_MS) socket.destroy();
      response.on('finish', () => sentMs.set(socket, nowMs));
    });
    const answer = await ask();
    await answer.body.next();
    await expect.poll(() => sentMs.size).toBe(1);
    nowMs += IDLE_MS;
    await readAll(answer);
    expect(await readAll(await ask())).toBe(ANSWER.length);
    expect(upstream.circuit).toBe('closed');
  });
});
