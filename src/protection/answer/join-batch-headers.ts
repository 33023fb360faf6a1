import { COST_HEADER } from './quota-headers.js';

const RETRY_HEADER = 'retry-after';

/**
 * Joins the headers of all operations of a batch, with names in lower case. The joined cost is the
 * sum of all costs, and the joined wait is the longest wait. For any other header, the value of the
 * last operation is used.
 */
export function joinBatchHeaders<Value>(all: Iterable<readonly [string, Value]>): Map<string, Value | string> {
  const joined = new Map<string, Value | string>();
  for (const [name, value] of all) joined.set(name, joinBatchHeader(name, joined.get(name), value));
  return joined;
}

/**
 * Joins one header of an operation with the same header of the operations before it.
 * @param before joined value of the earlier operations; undefined if none of them has the header
 */
export function joinBatchHeader<Value>(name: string, before: Value | undefined, value: Value): Value | string {
  if (name !== COST_HEADER && name !== RETRY_HEADER) return value;
  const [one, other] = [Number(before), Number(value)];
  // An upstream behind the gateway may send `retry-after` as a date.
  if (Number.isNaN(one) || Number.isNaN(other)) return value;
  return String(name === COST_HEADER ? one + other : Math.max(one, other));
}
