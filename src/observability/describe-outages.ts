import type { PoolHealth } from '../limiter/fallback/engine-observer.js';
import type { RulesHealth } from '../rules/live/live-rules.js';
import type { UsageRecorder } from '../usage/record/create-usage-recorder.js';

/**
 * Maximum clock difference that is tolerated. A smaller one may come from a process that was paused
 * when Redis answered.
 */
const CLOCK_TOLERANCE_MS = 10_000;

/**
 * Describes the problems that an operator must know about, even if every operation is still
 * decided.
 * @param clockAheadMs milliseconds by which the clock of Redis is ahead of that of this process
 */
export function describeOutages(
  engines: readonly PoolHealth[],
  rules: RulesHealth | undefined,
  usage: Pick<UsageRecorder, 'failing'> | undefined,
  clockAheadMs: number,
): string[] {
  const found = engines
    .filter(({ state }) => state !== 'CLOSED')
    .map(
      ({ pool, sinceMs, reason, instances }) =>
        `Redis (pool ${pool}) does not answer since ${new Date(sinceMs).toISOString()}: ${reason}; limits are decided without it, in ${instances} shares`,
    );
  if (engines.length > 0 && Math.abs(clockAheadMs) > CLOCK_TOLERANCE_MS) {
    const seconds = `${Math.round(Math.abs(clockAheadMs) / 1000)} s ${clockAheadMs > 0 ? 'behind' : 'ahead of'}`;
    found.push(
      `the clock of this instance is ${seconds} that of Redis: keys, overrides and tokens expire by it, and usage is stored under its time`,
    );
  }
  if (rules?.databaseAway) {
    const { sinceMs, reason, isAnswering } = rules.databaseAway;
    const what = isAnswering ? 'cannot be used' : 'is away';
    found.push(`PostgreSQL ${what} since ${new Date(sinceMs).toISOString()}: ${reason}`);
  }
  // A database outage is already reported above.
  if (usage?.failing && !rules?.databaseAway) {
    const { sinceMs, reason } = usage.failing;
    found.push(`usage cannot be stored since ${new Date(sinceMs).toISOString()}, and waits in memory: ${reason}`);
  }
  if (rules?.unsaved) {
    const { sinceMs, reason } = rules.unsaved;
    found.push(
      `the snapshot of the ruleset cannot be written since ${new Date(sinceMs).toISOString()}, and a start while PostgreSQL is away has older rules, or none: ${reason}`,
    );
  }
  if (rules?.invalid !== undefined) {
    found.push(`the stored ruleset cannot be used, version ${rules.version} stays in force: ${rules.invalid}`);
  }
  return found;
}
