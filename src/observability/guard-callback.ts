import type { Logger } from '../model/logger.js';
import { guarded, guardedMethods } from '../runtime/guarded.js';
import { reportSometimes } from './report-sometimes.js';

/**
 * Wraps a callback of the options that runs during every request. If the callback throws, the
 * operation continues, and the log names the option.
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

/** Wraps all methods of an observer with `guardCallback`. */
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
    logger.error({ err: error }, `${name} of createTollgate failed: operations continue without it`),
  );
}
