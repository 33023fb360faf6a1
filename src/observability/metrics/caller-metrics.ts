import { Counter, type Registry } from 'prom-client';
import type { OnIdentifyFailed } from '../../identity/ask-identify.js';

/** Counts the requests that were refused because `identify` threw an error, or answered what it may not. */
export function countIdentifyFailures(registry: Registry): OnIdentifyFailed {
  const failures = new Counter({
    name: 'tollgate_identify_failures_total',
    help: 'Requests refused with IDENTIFY_FAILED, by whether identify threw an error or gave a wrong answer.',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of ['threw', 'answer']) failures.inc({ kind }, 0);
  return (kind) => failures.inc({ kind });
}
