import type { Registry } from 'prom-client';
import type { DecisionRecord, Observers } from '../../model/decision-record.js';
import type { OperationType } from '../../model/rule.js';
import { type Cell, createPlainCounter, createPlainHistogram, type Observe } from './bound-metrics.js';

/**
 * Bounds in seconds. They are close together from 0.1 to 50 ms, the usual duration of decisions.
 * Longer durations indicate that Redis may soon be treated as unavailable.
 */
const DURATION_BUCKETS = [
  0.0001, 0.0002, 0.0003, 0.0005, 0.00075, 0.001, 0.0015, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05,
  0.1, 0.25, 0.5, 1,
];
const COST_BUCKETS = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 1_000_000];

/**
 * Creates the metrics of decisions, of their duration and of costs. Labels are bounded: rules,
 * codes and operation types. They never contain a user, a name or another value that a caller
 * chose.
 */
export function countDecisions(registry: Registry): Pick<Observers, 'onDecision' | 'onSettled'> {
  const decisions = createPlainCounter({
    name: 'tollgate_decisions_total',
    help: 'Decided operations, by result, mode, the rule that denied them, and whether a limit was decided without its shared counter (degraded).',
    labels: ['result', 'rule', 'mode', 'degraded'],
    registry,
  });
  const tookSeconds = createPlainHistogram({
    name: 'tollgate_decision_duration_seconds',
    help: 'Time to decide an operation: pricing, matching of rules, charging. It does not include a delay before admission.',
    buckets: DURATION_BUCKETS,
    registry,
  })();
  const charged = byType(
    registry,
    'tollgate_estimated_cost_tokens',
    'Tokens initially charged to admitted operations.',
  );
  const denied = byType(
    registry,
    'tollgate_denied_cost_tokens',
    'Tokens that admission of the denied operations would have charged.',
  );
  const paid = byType(
    registry,
    'tollgate_actual_cost_tokens',
    'Tokens charged to admitted operations after settlement: their actual cost, or the estimated cost if the actual cost is unknown. The sum is the tokens spent.',
  );
  const countShadows = countShadowDenials(registry);
  const cells = new Map<string, Cell>();
  let latest: { record: DecisionRecord; cell: Cell } | undefined;

  function cellOf(record: DecisionRecord): Cell {
    // Most operations are admitted, so most decisions have the same labels as the previous
    // decision.
    if (latest && isAlike(latest.record, record)) return latest.cell;
    const { denial, deniedBy, mode, degraded } = record;
    const key = `${denial} ${mode} ${degraded} ${deniedBy}`;
    let cell = cells.get(key);
    if (cell === undefined) {
      cell = decisions({
        result: denial?.toLowerCase() ?? 'admitted',
        rule: deniedBy ?? '',
        mode: mode.toLowerCase(),
        degraded: String(degraded),
      });
      cells.set(key, cell);
    }
    latest = { record, cell };
    return cell;
  }

  return {
    onDecision(record) {
      cellOf(record).count++;
      tookSeconds(record.durationMs / 1000);
      if (record.denial === undefined) charged[record.operationType](record.chargedCost);
      else denied[record.operationType](record.requestedCost);
      if (record.shadowDeniedBy.length > 0) countShadows(record.shadowDeniedBy);
    },
    onSettled: ({ operationType }, paidCost) => paid[operationType](paidCost),
  };
}

function isAlike(a: DecisionRecord, b: DecisionRecord): boolean {
  return a.denial === b.denial && a.deniedBy === b.deniedBy && a.degraded === b.degraded && a.mode === b.mode;
}

function byType(registry: Registry, name: string, help: string): Record<OperationType, Observe> {
  const series = createPlainHistogram({ name, help, labels: ['type'], buckets: COST_BUCKETS, registry });
  return {
    QUERY: series({ type: 'query' }),
    MUTATION: series({ type: 'mutation' }),
    SUBSCRIPTION: series({ type: 'subscription' }),
  };
}

/**
 * Maximum number of rules with a label of their own. The number must be bounded, because there may
 * be ten thousand rules, and with `mode: 'SHADOW'` all of them are in shadow mode.
 */
const MAX_RULES = 200;
/** Label under which all other rules are counted together. */
const OTHER = '(other)';

/**
 * Creates the metric of the denials that shadow rules would have made, by rule. Operators read it
 * before they enforce a rule.
 */
export function countShadowDenials(registry: Registry): (rules: readonly string[]) => void {
  const cellOf = createPlainCounter({
    name: 'tollgate_shadow_denials_total',
    help: `Admitted operations that a rule in shadow mode would have denied. The first ${MAX_RULES} rules are counted by name, the others together as "${OTHER}".`,
    labels: ['rule'],
    registry,
  });
  const cells = new Map<string, Cell>();
  return (rules) => {
    for (const rule of rules) {
      let cell = cells.get(rule);
      if (cell === undefined) {
        const name = cells.size < MAX_RULES ? rule : OTHER;
        cell = cells.get(name) ?? cellOf({ rule: name });
        cells.set(name, cell);
      }
      cell.count++;
    }
  };
}
