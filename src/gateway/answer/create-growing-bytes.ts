/** A buffer that grows at its end and is consumed from its front. */
interface GrowingBytes {
  /** All bytes that were added and not yet removed. */
  readonly all: Buffer;
  add(piece: Buffer): void;
  /** Removes and returns the first `count` bytes. */
  take(count: number): Buffer;
}

/**
 * Creates a buffer with spare capacity for further bytes. Without it, each added piece would
 * require a copy of all bytes, which takes quadratic time.
 */
export function createGrowingBytes(): GrowingBytes {
  let all = EMPTY;
  /**
   * Memory that holds `all`, which ends at `end`. Undefined while `all` is the last added piece
   * itself.
   */
  let memory: Buffer | undefined;
  let end = 0;
  return {
    get all() {
      return all;
    },
    add(piece) {
      if (all.length === 0) {
        all = piece;
        memory = undefined;
        return;
      }
      const length = all.length + piece.length;
      if (memory === undefined || end + piece.length > memory.length) {
        memory = Buffer.allocUnsafe(Math.ceil(1.5 * length));
        end = all.copy(memory);
      }
      end += piece.copy(memory, end);
      all = memory.subarray(end - length, end);
    },
    take(count) {
      const taken = all.subarray(0, count);
      all = all.subarray(count);
      return taken;
    },
  };
}

const EMPTY: Buffer = Buffer.alloc(0);
