import type { Registry } from 'prom-client';
import type { CallerObserver } from '../create-caller-log.js';
import { createPlainCounter } from './bound-metrics.js';
import { Counter } from './load-prom-client.js';

/** Creates the metrics about callers that cannot be identified or that are on an unknown tier. */
export function countCallers(registry: Registry): CallerObserver {
  const failures = new Counter({
    name: 'tollgate_identify_failures_total',
    help: 'Requests that failed with IDENTIFY_FAILED, by reason: identify threw an error (threw), returned a wrong value (answer), or did not return in time (timeout).',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of ['threw', 'answer', 'timeout']) failures.inc({ kind }, 0);
  // A plain counter is used for speed, because every request of such a caller is counted. The tier
  // name is not a label, because it can be any text.
  const unknownTier = createPlainCounter({
    name: 'tollgate_unknown_tier_total',
    help: 'Operations of callers with an unknown tier. Tollgate used the default tier for them. The log names each unknown tier once.',
    labels: [],
    registry,
  })({});
  return {
    identifyFailed: (kind) => failures.inc({ kind }),
    unknownTier() {
      unknownTier.count++;
    },
  };
}
