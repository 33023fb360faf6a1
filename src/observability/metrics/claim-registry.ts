import type { Registry } from 'prom-client';

/** Name of a metric that every Tollgate registers, regardless of its options. */
const OF_EVERY_TOLLGATE = 'tollgate_engine_errors_total';

export interface ClaimedRegistry {
  /** Called when all metrics are registered. */
  opened(): void;
  /**
   * Unregisters all metrics that were registered since the claim. A registry that outlives this
   * Tollgate, such as prom-client's `register`, can then be used by the next Tollgate. Metrics that
   * the next Tollgate has already registered under the same names are not removed.
   */
  forget(): void;
}

/**
 * Claims the registry. Call this function directly before the registration of the first metric,
 * without an `await` in between. Otherwise, two Tollgates that open at the same time would both
 * find the registry free.
 *
 * @throws TypeError if the registry has the metrics of another Tollgate
 */
export function claimRegistry(registry: Registry): ClaimedRegistry {
  if (registry.getSingleMetric(OF_EVERY_TOLLGATE) !== undefined) {
    throw new TypeError(
      'metrics: this registry has the metrics of another Tollgate. Give each a separate new Registry() of prom-client. If a module was loaded again, ' +
        'as in development servers, close the first Tollgate (await tollgate.close()) or keep it on globalThis',
    );
  }
  const before = namesIn(registry);
  const registered = () =>
    [...namesIn(registry)]
      .filter((name) => name.startsWith('tollgate_') && !before.has(name))
      .map((name) => ({ name, metric: registry.getSingleMetric(name) }));
  let own: ReturnType<typeof registered> | undefined;
  return {
    opened() {
      own = registered();
    },
    forget() {
      for (const { name, metric } of own ?? registered()) {
        if (registry.getSingleMetric(name) === metric) registry.removeSingleMetric(name);
      }
      own = [];
    },
  };
}

/**
 * Returns the names of the metrics in a registry. The list is empty if the registry has no
 * `getMetricsAsArray`, which only prom-client guarantees.
 */
function namesIn(registry: Partial<Pick<Registry, 'getMetricsAsArray'>>): ReadonlySet<string> {
  return new Set(registry.getMetricsAsArray?.().map(({ name }) => name));
}
