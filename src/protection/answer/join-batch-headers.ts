import { COST_HEADER } from './quota-headers.js';

const RETRY_HEADER = 'retry-after';

/**
 * Joins the headers of all operations of a batch, with names in lower case. The cost is the sum and
 * the wait is the longest. For any other header the last operation wins.
 */
export function joinBatchHeaders<Value>(all: Iterable<readonly [string, Value]>): Map<string, Value | string> {
  const joined = new Map<string, Value | string>();
  for (const [name, value] of all) joined.set(name, joinBatchHeader(name, joined.get(name), value));
  return joined;
}

/**
 * Joins one header of an operation with the same header of the operations before it.
 * @param before value of the operations before; undefined if they have none
 */
export function joinBatchHeader<Value>(name: string, before: Value | undefined, value: Value): Value | string {
  if (name !== COST_HEADER && name !== RETRY_HEADER) return value;
  const [one, other] = [Number(before), Number(value)];
  // An API behind a gateway may send the wait as a date.
  if (Number.isNaN(one) || Number.isNaN(other)) return value;
  return String(name === COST_HEADER ? one + other : Math.max(one, other));
}
