import type { Clock } from '../../runtime/clock.js';
import type { Ruleset } from './ruleset.js';

/**
 * Returns a getter of the ruleset with the rules that apply now. Each call compares the time with
 * that of the next change. It examines the times of all rules only after a change, or if the ruleset
 * is new.
 * @param ruleset returns the ruleset with the rules of all times
 * @param now returns the time in epoch milliseconds
 */
export function followTimes(ruleset: () => Ruleset, now: Clock): () => Ruleset {
  let base: Ruleset | undefined;
  let current: Ruleset | undefined;
  return () => {
    const latest = ruleset();
    const nowMs = now();
    current = latest === base && current !== undefined ? current.at(nowMs) : latest.at(nowMs, current);
    base = latest;
    return current;
  };
}
