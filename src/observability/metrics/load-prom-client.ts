import type * as PromClient from 'prom-client';
import { loadOptional, notInstalled } from '../../runtime/packages/load-optional.js';

// Other modules import these classes from this module instead of from prom-client. A bundler
// resolves every import, and most projects have not installed prom-client.
export let Counter: typeof PromClient.Counter;
export let Gauge: typeof PromClient.Gauge;

/** Loads prom-client. Await this function before creating any metric. */
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
