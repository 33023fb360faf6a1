/**
 * Makes members of a promise throw an error when they are read. The message explains that an
 * `await` is missing. Otherwise JavaScript would only report that a member of the promise is not a
 * function.
 * @param call name of the function that returned the promise
 * @param members names of members of the value to which the promise resolves
 */
export function withAwaitHint<Value extends object>(
  promise: Promise<Value>,
  call: string,
  members: readonly (keyof Value & string)[],
): Promise<Value> {
  for (const member of members) {
    Object.defineProperty(promise, member, {
      get() {
        // Otherwise Node would also report an unhandled rejection if the promise rejects.
        promise.catch(() => {});
        throw new TypeError(`${call} returns a promise: await it before you use its \`${member}\``);
      },
    });
  }
  return promise;
}
