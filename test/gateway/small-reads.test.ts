import { createHash, randomBytes } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reuse, SMALL_READS } from '../../src/gateway/upstream/small-reads.js';
import { createUpstream } from '../../src/gateway/upstream/upstream.js';

const BYTES = randomBytes(4 * 2 ** 20);
const READ_BYTES = 8 * 1024;
const hashOf = (...pieces: Buffer[]) =>
  pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest('hex');

describe('what a connection to an upstream reads', () => {
  const server = createServer((socket) => socket.end(BYTES));
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  /** All of it, piece by piece as the parser of undici takes it. */
  async function readAll(onPiece: (piece: Buffer) => void): Promise<void> {
    const { port } = server.address() as AddressInfo;
    const socket = createConnection({ port, host: '127.0.0.1', ...SMALL_READS });
    socket.on('readable', () => {
      for (let piece = socket.read(); piece !== null; piece = socket.read()) onPiece(piece);
    });
    await new Promise((resolve, reject) => {
      socket.once('end', resolve);
      socket.once('error', reject);
    });
  }

  it('is in memory that is used again when it was passed on: a large answer makes no garbage', async () => {
    const memory = new Set<ArrayBufferLike>();
    const hash = createHash('sha256');
    let whole = 0;
    await readAll((piece) => {
      expect(piece.length).toBeLessThanOrEqual(READ_BYTES);
      if (piece.length === READ_BYTES) {
        whole++;
        memory.add(piece.buffer);
      }
      hash.update(piece);
      reuse(piece);
    });
    expect(hash.digest('hex')).toBe(hashOf(BYTES));
    expect(whole).toBeGreaterThan(100);
    expect(memory.size).toBeLessThan(10);
  });

  it('stays as it is for as long as nobody has said that it was passed on', async () => {
    const pieces: Buffer[] = [];
    await readAll((piece) => pieces.push(piece));
    await readAll(() => {});
    expect(hashOf(...pieces)).toBe(hashOf(BYTES));
  });

  it('stays as it is where a part of it was passed on, and is given to one reader alone where that is said twice', async () => {
    const kept: Buffer[] = [];
    const copies: Buffer[] = [];
    let index = 0;
    await readAll((piece) => {
      index++;
      if (index % 2 === 0) {
        reuse(piece);
        reuse(piece);
        return;
      }
      reuse(piece.subarray(0, piece.length >> 1));
      reuse(piece.subarray(piece.length >> 1));
      kept.push(piece);
      copies.push(Buffer.from(piece));
    });
    expect(hashOf(...kept)).toBe(hashOf(...copies));
  });

  it('is used again where it holds parts of an answer in chunks, each of which begins and ends in the middle of a read', async () => {
    const { length } = BYTES;
    const api = createHttpServer((_, response) => {
      // In chunks of no length that a read has.
      for (let at = 0; at < length; at += 50_001) response.write(BYTES.subarray(at, at + 50_001));
      response.end();
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/`;
    const upstream = createUpstream({ url, timeoutMs: 60_000, maxRequests: 4 });
    const answers = Array.from({ length: 3 }, async () => {
      const memory = new Set<ArrayBufferLike>();
      const hash = createHash('sha256');
      const stop = new AbortController();
      const { signal } = stop;
      const { body } = await upstream.ask({ body: '{}', headers: {}, signal, isQuery: true });
      let kept: Buffer | undefined;
      for await (const piece of body) {
        // One behind, while the others read: what is not passed on yet must stay as it is.
        if (kept) {
          hash.update(kept);
          reuse(kept);
        }
        if (piece.length >= READ_BYTES / 2) memory.add(piece.buffer);
        kept = piece;
      }
      hash.update(kept!);
      return { memory, hash: hash.digest('hex') };
    });
    const all = new Set<ArrayBufferLike>();
    for (const { memory, hash } of await Promise.all(answers)) {
      expect(hash).toBe(hashOf(BYTES));
      for (const one of memory) all.add(one);
    }
    expect(all.size).toBeLessThan(50);
    await upstream.close();
    await new Promise((resolve) => api.close(resolve));
  });
});
