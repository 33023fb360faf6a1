import type { Ruleset } from '../matching/ruleset.js';
import type { CacheLevel } from './create-caller-reader.js';
import type { RulesetSource } from './create-ruleset-in-force.js';

/**
 * Kind of object that a change affects in this process. Other entries of the record of changes,
 * such as admin tokens and attempts that were denied, affect no cache.
 */
export type ChangeKind = 'ruleset' | 'subject' | 'api_key';

/** Receives events for metrics and logs. Its functions must not throw. */
export interface LiveRulesObserver {
  lookedUp?(kind: 'ruleset' | 'api_key' | 'subject', level: CacheLevel): void;
  rulesetLoaded?(ruleset: Ruleset, source: RulesetSource): void;
  /**
   * Called with the problem when the stored ruleset becomes invalid, and with undefined when it is
   * valid again.
   */
  rulesetInvalid?(problem: string | undefined): void;
  /** Called when a change is in force here, with the milliseconds since it was made. */
  changeInForce?(kind: ChangeKind, afterMs: number): void;
  databaseAway?(away: boolean, error: unknown): void;
  /**
   * Called after the database has returned to an earlier state, by a restore or a failover. Its
   * content up to change `to` is now in force. Previously, change `from` was in force.
   */
  databaseWentBack?(from: number, to: number): void;
  snapshotFailed?(error: unknown): void;
  /**
   * Called when a key in Redis contains a value that is not from Tollgate. Tollgate overwrites it.
   */
  copyRepaired?(): void;
}

/** Returns an observer that notifies several observers. */
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
