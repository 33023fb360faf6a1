import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awaitHead, skipInterim } from '../../src/gateway/upstream/skip-interim.js';
import { createUpstream, type Upstream } from '../../src/gateway/upstream/upstream.js';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
const TEXT = '{"data":"HTTP/1.1 100 Continue\\r\\n\\r\\n"}';
const ANSWER = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${TEXT.length}\r\n\r\n${TEXT}`;

describe('interim responses of an API', () => {
  let sends: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      for (const piece of sends) socket.write(piece);
    });
  });
  let upstream: Upstream;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    upstream = createUpstream({ url: `http://127.0.0.1:${port}/`, timeoutMs: 30_000, maxRequests: 2 });
  });
  afterAll(async () => {
    await upstream.close();
    await new Promise((resolve) => server.close(resolve));
  });

  async function ask(): Promise<{ status: number; text: string }> {
    const { status, body } = await upstream.ask({
      body: '{}',
      headers: {},
      signal: new AbortController().signal,
      isQuery: false,
    });
    let text = '';
    for await (const piece of body) text += piece;
    return { status, text };
  }

  it('interim responses are skipped before each response on a connection, whatever their number', async () => {
    for (const interim of ['', CONTINUE, HINTS, CONTINUE + HINTS + CONTINUE, HINTS + CONTINUE, CONTINUE]) {
      sends = [interim + ANSWER];
      expect(await ask(), interim).toEqual({ status: 200, text: TEXT });
    }
  });

  it('interim responses are skipped wherever the network splits them', () => {
    const all = Buffer.from(CONTINUE + HINTS + ANSWER);
    for (let at = 1; at < all.length; at++) {
      const socket = {} as Socket;
      awaitHead(socket);
      const passed = [all.subarray(0, at), all.subarray(at)].map((piece) => skipInterim(socket, piece));
      expect(passed.join(''), `cut at ${at}`).toBe(ANSWER);
    }
    const socket = {} as Socket;
    awaitHead(socket);
    const passed = Array.from(all, (byte) => skipInterim(socket, Buffer.from([byte])));
    expect(passed.join('')).toBe(ANSWER);
  });

  it('bytes that cannot be an interim response are not held back', () => {
    for (const text of ['HTTP/1.1 101 Switching', 'HTTP/1.1 200 OK', 'HTTP/1.1 10', 'garbage', '{}', '\r\n']) {
      const socket = {} as Socket;
      awaitHead(socket);
      const passed = skipInterim(socket, Buffer.from(text));
      expect(passed?.toString()).toBe(text === 'HTTP/1.1 10' ? undefined : text);
      expect(skipInterim(socket, Buffer.from('9'))?.toString()).toBe(text === 'HTTP/1.1 10' ? undefined : '9');
    }
    const endless = {} as Socket;
    awaitHead(endless);
    skipInterim(endless, Buffer.from('HTTP/1.1 100 Continue\r\nX: '));
    expect(skipInterim(endless, Buffer.alloc(70_000, 'x'))?.length).toBeGreaterThan(70_000);
  });
});
