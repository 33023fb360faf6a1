import type { PoolHealth } from '../limiter/outage/redis-with-fallback.js';
import type { RulesHealth } from '../rules/live/live-rules.js';
import type { UsageRecorder } from '../usage/record/create-usage-recorder.js';

/** What an operator has to know though every operation is decided. */
export function describeOutages(
  engines: readonly PoolHealth[],
  rules: RulesHealth | undefined,
  usage: Pick<UsageRecorder, 'failing'> | undefined,
): string[] {
  const found = engines
    .filter(({ state }) => state !== 'CLOSED')
    .map(
      ({ pool, sinceMs, reason, instances }) =>
        `Redis (pool ${pool}) does not answer since ${new Date(sinceMs).toISOString()}: ${reason}; limits are decided without it, in ${instances} shares`,
    );
  if (rules?.databaseAway) {
    const { sinceMs, reason, isAnswering } = rules.databaseAway;
    const what = isAnswering ? 'cannot be used' : 'is away';
    found.push(`PostgreSQL ${what} since ${new Date(sinceMs).toISOString()}: ${reason}`);
  }
  // Why it cannot be used at all has just been said.
  if (usage?.failing && !rules?.databaseAway) {
    const { sinceMs, reason } = usage.failing;
    found.push(`usage cannot be stored since ${new Date(sinceMs).toISOString()}, and waits in memory: ${reason}`);
  }
  if (rules?.invalid !== undefined) {
    found.push(`the stored ruleset cannot be used, version ${rules.version} stays in force: ${rules.invalid}`);
  }
  return found;
}
