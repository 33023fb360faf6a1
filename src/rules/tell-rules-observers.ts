import type { LiveRulesObserver } from './live-rules.js';

/** One observer that tells several. */
export function tellRulesObservers(observers: readonly LiveRulesObserver[]): Required<LiveRulesObserver> {
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
    databaseAway(away, error) {
      for (const one of observers) one.databaseAway?.(away, error);
    },
    snapshotFailed(error) {
      for (const one of observers) one.snapshotFailed?.(error);
    },
  };
}
