import type { Ruleset } from '../matching/ruleset.js';
import type { CacheLevel } from './create-caller-reader.js';
import type { RulesetSource } from './create-ruleset-in-force.js';

/** What a change is about, for this process: those of administrators' tokens and attempts are kept by nobody. */
export type ChangeKind = 'ruleset' | 'subject' | 'api_key';

/** Is notified of what happens, for metrics and logs; must not throw. */
export interface LiveRulesObserver {
  lookedUp?(kind: 'ruleset' | 'api_key' | 'subject', level: CacheLevel): void;
  rulesetLoaded?(ruleset: Ruleset, source: RulesetSource): void;
  /** The stored ruleset cannot be used, and why; undefined: it can be again. */
  rulesetInvalid?(problem: string | undefined): void;
  /** A change is in force here, so long after it was made. */
  changeInForce?(kind: ChangeKind, afterMs: number): void;
  databaseAway?(away: boolean, error: unknown): void;
  /** The database was restored, or lost its last changes in a failover: what it holds is in force, up to change `to` in place of `from`. */
  databaseWentBack?(from: number, to: number): void;
  snapshotFailed?(error: unknown): void;
  /** A copy in Redis was none of ours, and is overwritten. */
  copyRepaired?(): void;
}

/** One observer that notifies several. */
export function broadcastRules(observers: readonly LiveRulesObserver[]): Required<LiveRulesObserver> {
  return {
    lookedUp(kind, level) {
      for (const one of observers) one.lookedUp?.(kind, level);
    },
    rulesetLoaded(ruleset, source) {
      for (const one of observers) one.rulesetLoaded?.(ruleset, source);
    },
    rulesetInvalid(problem) {
      for (const one of observers) one.rulesetInvalid?.(problem);
    },
    changeInForce(kind, afterMs) {
      for (const one of observers) one.changeInForce?.(kind, afterMs);
    },
    databaseWentBack(from, to) {
      for (const one of observers) one.databaseWentBack?.(from, to);
    },
    databaseAway(away, error) {
      for (const one of observers) one.databaseAway?.(away, error);
    },
    snapshotFailed(error) {
      for (const one of observers) one.snapshotFailed?.(error);
    },
    copyRepaired() {
      for (const one of observers) one.copyRepaired?.();
    },
  };
}
