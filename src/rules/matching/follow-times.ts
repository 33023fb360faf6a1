import type { Clock } from '../../runtime/clock.js';
import type { Ruleset } from './ruleset.js';

/**
 * Returns a getter of the ruleset of the present time. A call compares the time with that of the
 * next change. It examines the times of the rules only after this time, or for a new ruleset.
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
