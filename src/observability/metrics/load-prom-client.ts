import type * as PromClient from 'prom-client';
import { loadOptional, notInstalled } from '../../runtime/packages/load-optional.js';

// The modules that use these do not import prom-client. A bundler resolves every import, and most
// projects do not have this package.
export let Counter: typeof PromClient.Counter;
export let Gauge: typeof PromClient.Gauge;

/** Loads prom-client. It must be awaited before anything here creates a metric. */
export async function loadPromClient(): Promise<void> {
  ({ Counter, Gauge } = await loadOptional('prom-client', 'metrics', importPromClient));
}

async function importPromClient() {
  try {
    return await import('prom-client');
  } catch (error) {
    throw notInstalled('prom-client', error);
  }
}
