import { isPromise } from './is-promise.js';

/** Calls what users gave in options. A mistake in it fails nothing that goes on here: whether it throws or rejects, it is reported. */
export function guarded<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
  report: (error: unknown) => void,
): (...args: Args) => Result | undefined {
  return (...args) => {
    try {
      const result = callback(...args);
      if (!isPromise(result)) return result;
      // Nothing that is asked for here waits, so that its result would be taken for what it is not.
      result.then(undefined, report);
      return undefined;
    } catch (error) {
      report(error);
      return undefined;
    }
  };
}

/** The same for all that an object is told; `this` stays what it is there, and methods that it does not have stay missing. */
export function guardedMethods<Observer extends object>(
  observer: Observer,
  methods: readonly (keyof Observer & string)[],
  reportOf: (method: string) => (error: unknown) => void,
): Observer {
  const entries = methods.flatMap((method) => {
    const own = observer[method];
    return typeof own === 'function' ? [[method, guarded(own.bind(observer), reportOf(method))]] : [];
  });
  return Object.fromEntries(entries) as Observer;
}
