/**
 * Adds members to a promise that throw when they are read. Their error names the missing `await`,
 * where JavaScript would report that a member of the promise is not a function.
 * @param call name of the function that returned the promise
 * @param members names of members of the value that the promise resolves to
 */
export function withAwaitHint<Value extends object>(
  promise: Promise<Value>,
  call: string,
  members: readonly (keyof Value & string)[],
): Promise<Value> {
  for (const member of members) {
    Object.defineProperty(promise, member, {
      get() {
        // Otherwise the process would also report an unhandled rejection of the promise.
        promise.catch(() => {});
        throw new TypeError(`${call} returns a promise: await it before you use its \`${member}\``);
      },
    });
  }
  return promise;
}
