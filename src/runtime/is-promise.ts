/**
 * Returns whether a value is a promise, including one of another library: any value with a method
 * `then`.
 */
export function isPromise<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as Partial<PromiseLike<Value>> | null | undefined)?.then === 'function';
}
