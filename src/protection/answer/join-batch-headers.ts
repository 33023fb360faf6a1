import { COST_HEADER } from './quota-headers.js';

const RETRY_HEADER = 'retry-after';

/**
 * The headers of the answer to a batch, of those of its operations, names in lower case: what they cost together, and the longest of their waits. Of
 * all else the last operation has the word.
 */
export function joinBatchHeaders<Value>(all: Iterable<readonly [string, Value]>): Map<string, Value | string> {
  const joined = new Map<string, Value | string>();
  for (const [name, value] of all) joined.set(name, joinBatchHeader(name, joined.get(name), value));
  return joined;
}

/** @param before of the operations before; undefined where they have none */
export function joinBatchHeader<Value>(name: string, before: Value | undefined, value: Value): Value | string {
  if (name !== COST_HEADER && name !== RETRY_HEADER) return value;
  const [one, other] = [Number(before), Number(value)];
  // A wait may be a date, where an API behind a gateway says so.
  if (Number.isNaN(one) || Number.isNaN(other)) return value;
  return String(name === COST_HEADER ? one + other : Math.max(one, other));
}
