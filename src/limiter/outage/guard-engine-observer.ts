import { isPromise } from '../../model/is-promise.js';
import type { EngineObserver } from './redis-with-fallback.js';

const METHODS = ['failed', 'fellBehind', 'changed', 'unsafe', 'forgot'] as const satisfies (keyof EngineObserver)[];

/**
 * The same observer, of whose mistakes no decision learns: the first of each method is a warning of the process. Methods that it does
 * not have stay missing.
 */
export function guardEngineObserver(observer: EngineObserver): EngineObserver {
  const guarded: Partial<Record<keyof EngineObserver, (...args: unknown[]) => void>> = {};
  for (const name of METHODS) {
    const method = observer[name] as ((...args: unknown[]) => unknown) | undefined;
    if (method === undefined) continue;
    let warned = false;
    const warn = (error: unknown) => {
      if (warned) return;
      warned = true;
      process.emitWarning(
        `observer.${name} of createLimiter has failed: decisions go on without it: ${error}`,
        'TollgateWarning',
      );
    };
    guarded[name] = (...args) => {
      try {
        const result = method.apply(observer, args);
        if (isPromise(result)) result.then(undefined, warn);
      } catch (error) {
        warn(error);
      }
    };
  }
  return guarded as EngineObserver;
}
