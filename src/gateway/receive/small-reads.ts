import type { Socket } from 'node:net';

/**
 * How much a connection reads at once, and keeps for a reader who does not take it. Node would read 64 KiB: with as much in each of
 * the steps on the way, a thousand slow readers would hold 300 MiB.
 */
const READ_BYTES = 8 * 1024;

/** One for all connections: what was read is copied out of it before the next read. */
const buffer = Buffer.allocUnsafeSlow(READ_BYTES);

/** Options of the sockets to an upstream. */
export const SMALL_READS = {
  highWaterMark: READ_BYTES,
  onread: {
    buffer,
    callback(this: Socket, bytes: number, read: Uint8Array): boolean {
      return this.push(Buffer.from(read.subarray(0, bytes)));
    },
  },
};
