/** What a script has replied: what all of them say, and a place to read the rest from. */
export interface ScriptReply {
  readonly clock: number;
  readonly now: number;
  readonly repaired: number;
  readonly rebased: number;
  /** The next so many numbers. */
  read(count: number): number[];
}

/** Reads doubles, one after the other. */
export function readReply(bytes: Buffer): ScriptReply {
  // A view reads them in a tenth of the time of a buffer, which puts each together from its bytes.
  const doubles = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  function next(): number {
    const number = doubles.getFloat64(at, true);
    at += 8;
    return number;
  }
  return {
    clock: next(),
    now: next(),
    repaired: next(),
    rebased: next(),
    read(count) {
      const numbers = new Array<number>(count);
      for (let i = 0; i < count; i++) numbers[i] = next();
      return numbers;
    },
  };
}
