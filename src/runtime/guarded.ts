import { isPromise } from './is-promise.js';

/**
 * Wraps a callback that a user passed in the options. If the callback throws or rejects, the
 * wrapper reports the error and returns undefined.
 */
export function guarded<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
  report: (error: unknown) => void,
): (...args: Args) => Result | undefined {
  return (...args) => {
    try {
      const result = callback(...args);
      if (!isPromise(result)) return result;
      // The callers do not await results, so they would use the promise as the value.
      result.then(undefined, report);
      return undefined;
    } catch (error) {
      report(error);
      return undefined;
    }
  };
}

/**
 * Wraps the methods of an observer like `guarded`. `this` is the observer, and missing methods
 * remain missing.
 */
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
