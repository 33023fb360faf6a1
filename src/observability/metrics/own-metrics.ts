import type { Registry } from 'prom-client';

/** Of all that a Tollgate registers, what it registers whatever its options are. */
const OF_EVERY_TOLLGATE = 'tollgate_engine_errors_total';

/**
 * Called before the first metric is registered, in the same turn: else two that open together would both find the registry free. The function that it returns takes away all that were registered since, so that a registry
 * which outlives this Tollgate, as prom-client's `register` does, can have those of the next one.
 *
 * @throws TypeError where the registry has those of another Tollgate
 */
export function claimRegistry(registry: Registry): () => void {
  if (registry.getSingleMetric(OF_EVERY_TOLLGATE) !== undefined) {
    throw new TypeError(
      'metrics: this registry has the metrics of another Tollgate. Give each one of its own: new Registry() of prom-client. Where a module was loaded again, ' +
        'as development servers do, close the first one (await tollgate.close()) or keep it on globalThis',
    );
  }
  const before = namesIn(registry);
  let isForgotten = false;
  return () => {
    // Whoever closes twice would take away those of the next one.
    if (isForgotten) return;
    isForgotten = true;
    for (const name of namesIn(registry)) {
      if (name.startsWith('tollgate_') && !before.has(name)) registry.removeSingleMetric(name);
    }
  };
}

function namesIn(registry: Registry): ReadonlySet<string> {
  return new Set(registry.getMetricsAsArray().map(({ name }) => name));
}
