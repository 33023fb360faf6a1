import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createPlainHistogram } from './metrics/plain-histogram.js';
import type { DecisionRecord } from './plugin.js';
import type { LiveRulesObserver } from './rules/live-rules.js';

export interface Metrics {
  /** Counts a decision and how long it took. Labels are bounded: rules and codes, never a user, a name or anything else a caller chose. */
  countDecision(record: DecisionRecord): void;
  /** Counts what the caches of rules and subjects do. */
  rules: LiveRulesObserver;
  /** The metrics in Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
}

/** In seconds: fine where decisions are, 0.1 to 50 ms; beyond it for a Redis that is about to be given up. */
const DECISION_BUCKETS = [
  0.0001, 0.0002, 0.0003, 0.0005, 0.00075, 0.001, 0.0015, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05,
  0.1, 0.25, 0.5, 1,
];

/** The metrics of one server: those of the process, the decisions, and the caches. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const decisions = new Counter({
    name: 'tollgate_decisions_total',
    help: 'Operations decided, by result, the rule that denied, and mode.',
    labelNames: ['result', 'rule', 'mode', 'degraded'] as const,
    registers,
  });
  const decided = createPlainHistogram({
    name: 'tollgate_decision_duration_seconds',
    help: 'From the resolved operation to the decision: pricing, matching, charging.',
    buckets: DECISION_BUCKETS,
    registry,
  })();
  const lookups = new Counter({
    name: 'tollgate_cache_lookups_total',
    help: 'Look-ups of rulesets, subjects and API keys, by the level that answered; none: nothing answered in time.',
    labelNames: ['cache', 'level'] as const,
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const version = gauge('tollgate_ruleset_version', 'The number of the latest change of a tier or rule in force here.');
  const rules = gauge('tollgate_ruleset_rules', 'Rules in the ruleset in force, those given in code included.');
  const invalid = gauge(
    'tollgate_ruleset_invalid',
    '1 while the stored ruleset cannot be used and the last good one stays in force. Alarm on it.',
  );
  const away = gauge('tollgate_database_away', '1 while PostgreSQL does not answer.');
  const snapshotFailures = new Counter({
    name: 'tollgate_ruleset_snapshot_failures_total',
    help: 'Snapshots of the ruleset that could not be written.',
    registers,
  });

  return {
    countDecision: ({ denial, deniedBy, mode, degraded, durationMs }) => {
      decided(durationMs / 1000);
      decisions.inc({
        result: denial?.toLowerCase() ?? 'admitted',
        rule: deniedBy ?? '',
        mode: mode.toLowerCase(),
        degraded: String(degraded),
      });
    },
    rules: {
      lookedUp: (cache, level) => lookups.inc({ cache, level }),
      rulesetLoaded(ruleset) {
        version.set(ruleset.version);
        rules.set(ruleset.rules.length);
      },
      rulesetInvalid: (problem) => invalid.set(problem === undefined ? 0 : 1),
      databaseAway: (isAway) => away.set(isAway ? 1 : 0),
      snapshotFailed: () => snapshotFailures.inc(),
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
