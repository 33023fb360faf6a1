import { isPromise } from '../model/is-promise.js';
import type { Logger } from '../model/logger.js';
import { reportSometimes } from './report-sometimes.js';

/**
 * Calls what a server gave in its options and what is on the way of every request. A mistake in it fails no operation, whether it throws or
 * rejects; the log names it.
 *
 * @param name of the option
 */
export function guardCallback<Args extends unknown[], Result>(
  name: string,
  callback: (...args: Args) => Result,
  logger: Logger,
): (...args: Args) => Result | undefined {
  const report = reportSometimes((error) =>
    logger.error({ err: error }, `${name} of createTollgate has failed: operations go on without it`),
  );
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

/** The same for all that an object is told; `this` stays what it is there. */
export function guardObserver<Observer extends object>(
  name: string,
  observer: Observer,
  methods: readonly (keyof Observer & string)[],
  logger: Logger,
): Observer {
  const guarded = methods.flatMap((method) => {
    const own = observer[method];
    return typeof own === 'function' ? [[method, guardCallback(`${name}.${method}`, own.bind(observer), logger)]] : [];
  });
  return Object.fromEntries(guarded) as Observer;
}
