/**
 * Returns whether a value is a promise, including promises of other libraries. A value is one if it
 * has a method `then`.
 */
export function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as Partial<PromiseLike<Value>> | null | undefined)?.then === 'function';
}
