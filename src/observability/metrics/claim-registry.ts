import type { Registry } from 'prom-client';

/** Of all that a Tollgate registers, what it registers whatever its options are. */
const OF_EVERY_TOLLGATE = 'tollgate_engine_errors_total';

export interface ClaimedRegistry {
  /** Called when all metrics are registered. */
  opened(): void;
  /**
   * Takes away all that were registered since the claim, so that a registry which outlives this Tollgate, as prom-client's `register`
   * does, can have those of the next one; which stay where that has registered them already, after `registry.clear()` or another `forget`.
   */
  forget(): void;
}

/**
 * Called before the first metric is registered, in the same turn: else two that open together would both find the registry free.
 *
 * @throws TypeError where the registry has those of another Tollgate
 */
export function claimRegistry(registry: Registry): ClaimedRegistry {
  if (registry.getSingleMetric(OF_EVERY_TOLLGATE) !== undefined) {
    throw new TypeError(
      'metrics: this registry has the metrics of another Tollgate. Give each one of its own: new Registry() of prom-client. Where a module was loaded again, ' +
        'as development servers do, close the first one (await tollgate.close()) or keep it on globalThis',
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

/** None of a registry that is none of prom-client's own: the option asks for no more than what registers. */
function namesIn(registry: Partial<Pick<Registry, 'getMetricsAsArray'>>): ReadonlySet<string> {
  return new Set(registry.getMetricsAsArray?.().map(({ name }) => name));
}
