import type { Socket } from 'node:net';
import { skipInterim } from './skip-interim.js';

/**
 * How much a connection reads at once, and keeps for a reader who does not take it. Node would read 64 KiB: with as much in each of
 * the steps on the way, a thousand slow readers would hold 300 MiB.
 */
const READ_BYTES = 8 * 1024;

/** One for all connections: what was read is copied out of it before the next read. */
const buffer = Buffer.allocUnsafeSlow(READ_BYTES);

/** What is kept for the next reads, of all connections together: 4 MiB. Hundreds of them are read before the first is written. */
const MAX_FREE = 512;
const free: Buffer[] = [];
/** Of the memory that can be used again, how many bytes hold what was read; 0: it is free. */
const filledBytes = new WeakMap<ArrayBufferLike, number>();

/**
 * Says that a piece of an answer was written, or copied, and is not looked at any more: its memory is used again, where it is all that a
 * read has given. Without it, what passes is garbage: V8 lets 32 MiB of it pile up before it looks.
 */
export function reuse(piece: Buffer): void {
  if (piece.length > 0 && filledBytes.get(piece.buffer) === piece.length) reuseRead(piece);
}

/** Whether it is one of several pieces of a read, or there was a head before it: then `reuse` cannot tell when all are written. */
export function isPartOfRead(piece: Buffer): boolean {
  const filled = filledBytes.get(piece.buffer);
  return filled !== undefined && filled !== piece.length;
}

/** The same bytes, in memory that `reuse` takes. */
export function copyOfPart(part: Buffer): Buffer {
  return copyOf(part);
}

/** Says that nothing of the read that a part belongs to is looked at any more. */
export function reuseRead(part: Buffer): void {
  if (free.length === MAX_FREE || !filledBytes.get(part.buffer)) return;
  filledBytes.set(part.buffer, 0);
  free.push(Buffer.from(part.buffer));
}

function copyOf(read: Uint8Array): Buffer {
  // For little it is not worth while: that is most often an answer with its head.
  if (read.length < READ_BYTES / 2) return Buffer.from(read);
  const kept = free.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES);
  kept.set(read);
  filledBytes.set(kept.buffer, read.length);
  return kept.subarray(0, read.length);
}

/** Options of the sockets to an upstream. */
export const SMALL_READS = {
  // Each read is passed on alone: Node would put what it has read ahead together, in memory that is used once.
  highWaterMark: 1,
  onread: {
    buffer,
    callback(this: Socket, bytes: number): boolean {
      const part = buffer.subarray(0, bytes);
      const passed = skipInterim(this, part);
      if (passed === undefined) return true;
      // What was held back is in memory of its own, and may be longer than a read.
      return this.push(passed.buffer === buffer.buffer ? copyOf(passed) : passed);
    },
  },
};
