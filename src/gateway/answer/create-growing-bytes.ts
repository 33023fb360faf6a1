/** Bytes that come piece by piece, and are taken from the front. */
interface GrowingBytes {
  /** All that was added and not taken. */
  readonly all: Buffer;
  add(piece: Buffer): void;
  /** The first so many. */
  take(count: number): Buffer;
}

/** With room for what comes next: to put all together anew with each piece takes time with the square of their number. */
export function createGrowingBytes(): GrowingBytes {
  let all = EMPTY;
  /** What `all` ends in, at `end`; undefined: it is the piece that has come last. */
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
