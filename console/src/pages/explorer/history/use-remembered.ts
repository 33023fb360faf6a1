import { useEffect } from 'react';
import { rememberOperation } from './operation-history.js';
import type { PricedOperation } from './parse-history.js';

/**
 * Time for which an operation must stay unchanged, in milliseconds. Before that, the user may still
 * be typing.
 */
const UNCHANGED_MS = 2_000;

/**
 * Adds an operation to the history once it has not changed for a while. Undefined: the operation
 * has no price.
 */
export function useRemembered(operation: Omit<PricedOperation, 'pricedAt'> | undefined): void {
  const text = operation && JSON.stringify(operation);
  useEffect(() => {
    if (text === undefined) return undefined;
    const timer = setTimeout(
      () => rememberOperation({ ...JSON.parse(text), pricedAt: new Date().toISOString() }),
      UNCHANGED_MS,
    );
    return () => clearTimeout(timer);
  }, [text]);
}
