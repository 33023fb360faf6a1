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
      if (isPromise(result)) result.then(undefined, report);
      return result;
    } catch (error) {
      report(error);
      return undefined;
    }
  };
}
