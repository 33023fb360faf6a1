import type * as PromClient from 'prom-client';
import { loadOptional, notInstalled } from '../../runtime/packages/load-optional.js';

// Not imported by the modules that use them: a bundler looks for all that code imports, and most projects do not have this package.
export let Counter: typeof PromClient.Counter;
export let Gauge: typeof PromClient.Gauge;

/** Has to be awaited before anything here makes a metric. */
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
