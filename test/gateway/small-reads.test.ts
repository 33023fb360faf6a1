import { createHash, randomBytes } from 'node:crypto';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reuse, SMALL_READS } from '../../src/gateway/receive/small-reads.js';

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
});
