import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { DecisionRecord } from './plugin.js';

export interface Metrics {
  /** Counts a decision. Labels are bounded: rules and codes, never a user, a name or anything else a caller chose. */
  countDecision(record: DecisionRecord): void;
  /** The metrics in Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
}

/** The metrics of one server: those of the process, and the decisions. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const decisions = new Counter({
    name: 'tollgate_decisions_total',
    help: 'Operations decided, by result, the rule that denied, and mode.',
    labelNames: ['result', 'rule', 'mode', 'degraded'] as const,
    registers: [registry],
  });
  return {
    countDecision: ({ denial, deniedBy, mode, degraded }) => {
      decisions.inc({
        result: denial?.toLowerCase() ?? 'admitted',
        rule: deniedBy ?? '',
        mode: mode.toLowerCase(),
        degraded: String(degraded),
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
