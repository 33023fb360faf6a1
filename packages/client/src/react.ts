import { useSyncExternalStore } from 'react';
import type { Pacer, Quota } from './pacer.js';

/**
 * Returns the remaining budget, for an app to show. Undefined before the first response. The
 * component is rendered again on every change.
 */
export function useQuota(pacer: Pacer): Quota | undefined {
  return useSyncExternalStore(pacer.subscribe, pacer.quota, () => undefined);
}
