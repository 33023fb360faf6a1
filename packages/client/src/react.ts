import { useSyncExternalStore } from 'react';
import type { Pacer, Quota } from './pacer.js';

/** What is left of the budget, for an app to show; undefined before the first answer. Renders again whenever it changes. */
export function useQuota(pacer: Pacer): Quota | undefined {
  return useSyncExternalStore(pacer.subscribe, pacer.quota, () => undefined);
}
