import { createHash, randomBytes } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOUNDED_READS } from '../../src/gateway/upstream/bounded-reads.js';
import { createUpstream } from '../../src/gateway/upstream/upstream.js';

const BYTES = randomBytes(4 * 2 ** 20);
const READ_BYTES = 8 * 1024;
const hashOf = (...pieces: Buffer[]) =>
  pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest('hex');

describe('bounded reads from an upstream connection', () => {
  const server = createServer((socket) => socket.end(BYTES));
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('an upstream connection reads pieces of at most 8 KiB, each in its own memory', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = createConnection({ port, host: '127.0.0.1', ...BOUNDED_READS });
    const pieces: Buffer[] = [];
    socket.on('readable', () => {
      for (let piece = socket.read(); piece !== null; piece = socket.read()) pieces.push(piece);
    });
    await new Promise((resolve, reject) => {
      socket.once('end', resolve);
      socket.once('error', reject);
    });
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(READ_BYTES);
    expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(pieces.length);
    expect(hashOf(...pieces)).toBe(hashOf(BYTES));
  });

  it('three simultaneous readers of chunked responses each keep their own bytes until the end', async () => {
    const api = createHttpServer((_, response) => {
      // The chunks have a different length than any read.
      for (let at = 0; at < BYTES.length; at += 50_001) response.write(BYTES.subarray(at, at + 50_001));
      response.end();
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/`;
    const upstream = createUpstream({ url, timeoutMs: 60_000, maxRequests: 4 });
    const answers = Array.from({ length: 3 }, async () => {
      const { signal } = new AbortController();
      const { body } = await upstream.ask({ body: '{}', headers: {}, signal, isQuery: true });
      const pieces: Buffer[] = [];
      for await (const piece of body) pieces.push(piece);
      return hashOf(...pieces);
    });
    expect(await Promise.all(answers)).toEqual(Array(3).fill(hashOf(BYTES)));
    await upstream.close();
    await new Promise((resolve) => api.close(resolve));
  });
});
