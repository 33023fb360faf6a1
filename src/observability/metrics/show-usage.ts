import type { Registry } from 'prom-client';
import type { UsageNumbers } from '../../usage/record/create-usage-counter.js';
import type { UsageRecorder } from '../../usage/record/create-usage-recorder.js';
import { showTotals } from './bound-metrics.js';
import { Gauge } from './load-prom-client.js';

/** What becomes of recorded usage. At any moment seen = stored + dropped + waiting, for each kind. */
export function showUsage(
  registry: Registry,
  recorder: Pick<UsageRecorder, 'numbers' | 'suppressed' | 'failures'>,
): void {
  const byKind = (member: keyof UsageNumbers) => (): Record<string, number> =>
    Object.fromEntries(Object.entries(recorder.numbers()).map(([kind, numbers]) => [kind, numbers[member]]));
  const total = (member: 'seen' | 'stored' | 'dropped', help: string) =>
    showTotals({ registry, name: `tollgate_usage_${member}_total`, help, label: 'kind', totals: byKind(member) });
  total('seen', 'Operations counted as usage, events and logged decisions, since the start.');
  total('stored', 'Of them, those that PostgreSQL has.');
  total('dropped', 'Of them, those that were given up, as too many waited or PostgreSQL refused them. Alarm on it.');
  const waiting = byKind('waiting');
  new Gauge({
    name: 'tollgate_usage_waiting',
    help: 'Of them, those that wait in memory to be stored.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const [kind, count] of Object.entries(waiting())) this.set({ kind }, count);
    },
  });
  showTotals({
    registry,
    name: 'tollgate_usage_suppressed_events_total',
    help: 'Events that were counted, and not kept one by one: enough were of the same caller and rule, or of all in this process.',
    label: 'bound',
    totals: () => ({ ...recorder.suppressed }),
  });
  showTotals({
    registry,
    name: 'tollgate_usage_failures_total',
    help: 'Attempts to store usage that failed; each is made again.',
    label: 'kind',
    totals: () => ({ batch: recorder.failures }),
  });
}
