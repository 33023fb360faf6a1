import { guardedMethods } from '../../runtime/guarded.js';
import type { EngineObserver } from './engine-observer.js';

const METHODS = [
  'failed',
  'fellBehind',
  'changed',
  'unsafe',
  'zoneDataDiffers',
  'forgot',
  'regionChanged',
] as const satisfies (keyof EngineObserver)[];

/**
 * Returns an observer that affects no decision: the first failure of each of its methods becomes a
 * process warning.
 */
export function guardEngineObserver(observer: EngineObserver): EngineObserver {
  return guardedMethods(observer, METHODS, warnOnce);
}

function warnOnce(method: string): (error: unknown) => void {
  let hasWarned = false;
  return (error) => {
    if (hasWarned) return;
    hasWarned = true;
    process.emitWarning(
      `observer.${method} of createLimiter failed: decisions continue without it: ${error}`,
      'TollgateWarning',
    );
  };
}
