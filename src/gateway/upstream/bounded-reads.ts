import type { Socket } from 'node:net';
import { skipInterim } from './skip-interim.js';

/**
 * Bytes that a connection reads at once, and buffers for a reader who does not take them. Node
 * would read 64 KiB: a thousand slow readers would then occupy 300 MiB in the buffers along the
 * way.
 */
const READ_BYTES = 8 * 1024;

/** Options of the sockets to an upstream. */
export const BOUNDED_READS = {
  // Pass each read on separately: Node would join what it has read ahead.
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
