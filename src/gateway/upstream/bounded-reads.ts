import type { Socket } from 'node:net';
import { skipInterim } from './skip-interim.js';

/**
 * How much a connection reads at once, and keeps for a reader who does not take it, in bytes. Node would read 64 KiB, so that a thousand
 * slow readers would hold 300 MiB in the steps on the way.
 */
const READ_BYTES = 8 * 1024;

/** Options of the sockets to an upstream. */
export const BOUNDED_READS = {
  // Each read is passed on alone: Node would join what it has read ahead.
  highWaterMark: 1,
  onread: {
    /** Each read has memory of its own: no reader can see what another is to be sent. */
    buffer: (): Buffer => Buffer.allocUnsafeSlow(READ_BYTES),
    callback(this: Socket, length: number, read: Uint8Array): boolean {
      const passed = skipInterim(this, Buffer.from(read.buffer, read.byteOffset, length));
      return passed === undefined || this.push(passed);
    },
  },
};
