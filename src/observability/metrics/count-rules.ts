import type { Registry } from 'prom-client';
import type { ChangeKind, LiveRulesObserver } from '../../rules/live/live-rules-observer.js';
import { type Cell, createPlainCounter, createPlainHistogram, type Observe } from './bound-metrics.js';
import { Counter, Gauge } from './load-prom-client.js';

type LookedUp = Parameters<NonNullable<LiveRulesObserver['lookedUp']>>;
type Lookups = Record<LookedUp[0], Record<LookedUp[1], Cell>>;

/**
 * Bounds in seconds. They separate propagation by message from propagation by polling, and include
 * the documented maximum of 2 s.
 */
const PROPAGATION_BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 1.5, 2, 3, 5, 10, 60, 600];

/** Creates the metrics of the caches of rules and subjects, and of the ruleset in force. */
export function countRules(registry: Registry): LiveRulesObserver {
  const registers = [registry];
  const cellOf = createPlainCounter({
    name: 'tollgate_cache_lookups_total',
    help: 'Look-ups of rulesets, API keys and other callers (subject), by the level that returned a result: this process (memory), Redis (redis), PostgreSQL (postgres), or no level in time (none).',
    labels: ['cache', 'level'],
    registry,
  });
  const levels = (cache: string) => ({
    memory: cellOf({ cache, level: 'memory' }),
    redis: cellOf({ cache, level: 'redis' }),
    postgres: cellOf({ cache, level: 'postgres' }),
    none: cellOf({ cache, level: 'none' }),
  });
  const lookups: Lookups = { ruleset: levels('ruleset'), api_key: levels('api_key'), subject: levels('subject') };
  const propagation = createPlainHistogram({
    name: 'tollgate_change_propagation_seconds',
    help: 'Time from a change until it was in force in this process, by the kind of the changed object.',
    labels: ['kind'],
    buckets: PROPAGATION_BUCKETS,
    registry,
  });
  const propagated: Record<ChangeKind, Observe> = {
    ruleset: propagation({ kind: 'ruleset' }),
    subject: propagation({ kind: 'subject' }),
    api_key: propagation({ kind: 'api_key' }),
  };
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const version = gauge(
    'tollgate_ruleset_version',
    'Version of the ruleset in force in this process: the number of the latest change of a tier or rule.',
  );
  const rules = gauge('tollgate_ruleset_rules', 'Rules in the ruleset in force, including those in code.');
  const invalid = gauge(
    'tollgate_ruleset_invalid',
    '1 while the stored ruleset is invalid and the last valid one stays in force. Alert on it.',
  );
  const away = gauge('tollgate_database_away', '1 while PostgreSQL is unavailable.');
  const snapshotFailures = new Counter({
    name: 'tollgate_ruleset_snapshot_failures_total',
    help: 'Snapshots of the ruleset that could not be written. /readyz has the reason.',
    registers,
  });
  const copiesRepaired = new Counter({
    name: 'tollgate_cache_repaired_total',
    help: 'Copies of rules and callers in Redis that Tollgate wrote again, because another program had overwritten them.',
    registers,
  });

  return {
    lookedUp(cache, level) {
      lookups[cache][level].count++;
    },
    rulesetLoaded(ruleset) {
      version.set(ruleset.version);
      rules.set(ruleset.rules.length);
    },
    changeInForce: (kind, afterMs) => propagated[kind](afterMs / 1000),
    rulesetInvalid: (problem) => invalid.set(problem === undefined ? 0 : 1),
    databaseAway: (isAway) => away.set(isAway ? 1 : 0),
    snapshotFailed: () => snapshotFailures.inc(),
    copyRepaired: () => copiesRepaired.inc(),
  };
}
