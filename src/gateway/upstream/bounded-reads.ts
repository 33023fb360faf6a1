import type { Socket } from 'node:net';
import { skipInterim } from './skip-interim.js';

/**
 * Number of bytes that a connection reads in one call, and buffers for a slow reader. With 64 KiB,
 * the default of Node, the buffers for a thousand slow readers would occupy 300 MiB.
 */
const READ_BYTES = 8 * 1024;

/** Options of the sockets to an upstream. */
export const BOUNDED_READS = {
  // Pass on each read separately. Otherwise Node reads ahead and joins the reads.
  highWaterMark: 1,
  onread: {
    /** Allocates separate memory for each read, so that no reader can see the data of another. */
    buffer: (): Buffer => Buffer.allocUnsafeSlow(READ_BYTES),
    callback(this: Socket, length: number, read: Uint8Array): boolean {
      const passed = skipInterim(this, Buffer.from(read.buffer, read.byteOffset, length));
      return passed === undefined || this.push(passed);
    },
  },
};
