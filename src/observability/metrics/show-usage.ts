import type { Registry } from 'prom-client';
import type { UsageNumbers } from '../../usage/record/create-usage-counter.js';
import type { UsageRecorder } from '../../usage/record/create-usage-recorder.js';
import { showTotals } from './bound-metrics.js';
import { Gauge } from './load-prom-client.js';

/**
 * Registers the outcomes of recorded usage. For each kind, seen = stored + dropped + waiting at any
 * time.
 */
export function showUsage(
  registry: Registry,
  recorder: Pick<UsageRecorder, 'numbers' | 'suppressed' | 'failures'>,
): void {
  const byKind = (member: keyof UsageNumbers) => (): Record<string, number> =>
    Object.fromEntries(Object.entries(recorder.numbers()).map(([kind, numbers]) => [kind, numbers[member]]));
  const total = (member: 'seen' | 'stored' | 'dropped', help: string) =>
    showTotals({ registry, name: `tollgate_usage_${member}_total`, help, label: 'kind', totals: byKind(member) });
  total('seen', 'Operations, events and decisions recorded since the start, by kind.');
  total('stored', 'Recorded operations, events and decisions stored in PostgreSQL, by kind.');
  total(
    'dropped',
    'Recorded operations, events and decisions that were lost, because too many waited or PostgreSQL rejected them. Alert on it.',
  );
  const waiting = byKind('waiting');
  new Gauge({
    name: 'tollgate_usage_waiting',
    help: 'Recorded operations, events and decisions that wait in memory to be stored, by kind.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const [kind, count] of Object.entries(waiting())) this.set({ kind }, count);
    },
  });
  showTotals({
    registry,
    name: 'tollgate_usage_suppressed_events_total',
    help: 'Denials and other events that are counted in the totals but not stored as rows, because there were too many of them for one caller and rule (caller), or in this process (process).',
    label: 'bound',
    totals: () => ({ ...recorder.suppressed }),
  });
  showTotals({
    registry,
    name: 'tollgate_usage_failures_total',
    help: 'Failed attempts to store usage. Tollgate retries each of them.',
    label: 'kind',
    totals: () => ({ batch: recorder.failures }),
  });
}
