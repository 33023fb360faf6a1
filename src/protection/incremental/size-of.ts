/**
 * Returns the estimated size of a JSON value on the heap, in bytes. Stops when the size exceeds
 * `maxBytes`, so that a value with a cycle ends too.
 */
export function sizeOf(value: unknown, maxBytes: number): number {
  let bytes = 0;
  // A stack of its own, because a scalar may be nested more deeply than the call stack allows.
  const left: unknown[] = [value];
  while (left.length > 0 && bytes <= maxBytes) {
    const one = left.pop();
    if (typeof one === 'string') bytes += BYTES_OF_OBJECT + one.length;
    else if (typeof one !== 'object' || one === null) bytes += BYTES_OF_SLOT;
    else {
      bytes += BYTES_OF_OBJECT;
      for (const key in one) {
        bytes += BYTES_OF_SLOT;
        if (bytes > maxBytes) break;
        left.push((one as Record<string, unknown>)[key]);
      }
    }
  }
  return bytes;
}

const BYTES_OF_OBJECT = 24;
const BYTES_OF_SLOT = 8;
