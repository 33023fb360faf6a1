import type { Logger } from '../model/logger.js';
import { guarded, guardedMethods } from '../runtime/guarded.js';
import { reportSometimes } from './report-sometimes.js';

/**
 * Calls what a server gave in its options and what is on the way of every request. A mistake in it fails no operation; the log names it.
 *
 * @param name of the option
 */
export function guardCallback<Args extends unknown[], Result>(
  name: string,
  callback: (...args: Args) => Result,
  logger: Logger,
): (...args: Args) => Result | undefined {
  return guarded(callback, logSometimes(name, logger));
}

/** The same for all that an object is told. */
export function guardObserver<Observer extends object>(
  name: string,
  observer: Observer,
  methods: readonly (keyof Observer & string)[],
  logger: Logger,
): Observer {
  return guardedMethods(observer, methods, (method) => logSometimes(`${name}.${method}`, logger));
}

function logSometimes(name: string, logger: Logger): (error: unknown) => void {
  return reportSometimes((error) =>
    logger.error({ err: error }, `${name} of createTollgate has failed: operations go on without it`),
  );
}
