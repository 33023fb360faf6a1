import type { MonitoredLimiter } from '../limiter/create-limiter.js';
import type { CountExchangeState } from '../limiter/exchange/count-exchange.js';
import type { RegionShareState } from '../limiter/exchange/region-exchange.js';
import type { PoolHealth } from '../limiter/fallback/engine-observer.js';
import type { RulesHealth } from '../rules/live/live-rules.js';
import type { UsageRecorder } from '../usage/record/create-usage-recorder.js';

/**
 * Maximum clock difference that is tolerated. A smaller difference may be an error of measurement,
 * for example if the process was paused when the reply of Redis arrived.
 */
const CLOCK_TOLERANCE_MS = 10_000;

/**
 * Describes the problems that an operator must know about, even if every operation is still
 * decided.
 * @param clockAheadMs milliseconds by which the clock of Redis is ahead of the clock of this
 * process
 */
export function describeOutages(
  engines: readonly PoolHealth[],
  rules: RulesHealth | undefined,
  usage: Pick<UsageRecorder, 'failing'> | undefined,
  clockAheadMs: number,
  regions?: Pick<MonitoredLimiter, 'regionShare' | 'regionCounts'>,
): string[] {
  const found = engines
    .filter(({ state }) => state !== 'CLOSED')
    .map(
      ({ pool, sinceMs, reason, instances }) =>
        `Redis (pool ${pool}) has not answered since ${new Date(sinceMs).toISOString()}: ${reason}; limits are decided without it, and each of ${instances} instances enforces an equal share`,
    );
  if (engines.length > 0 && Math.abs(clockAheadMs) > CLOCK_TOLERANCE_MS) {
    const seconds = `${Math.round(Math.abs(clockAheadMs) / 1000)} s ${clockAheadMs > 0 ? 'behind' : 'ahead of'}`;
    found.push(
      `the clock of this instance is ${seconds} that of Redis: keys, overrides and tokens expire by this clock, and usage is recorded with its times`,
    );
  }
  if (rules?.databaseAway) {
    const { sinceMs, reason, isAnswering } = rules.databaseAway;
    const what = isAnswering ? 'has been unusable' : 'has been unavailable';
    found.push(`PostgreSQL ${what} since ${new Date(sinceMs).toISOString()}: ${reason}`);
  }
  // A database outage is already reported above.
  if (usage?.failing && !rules?.databaseAway) {
    const { sinceMs, reason } = usage.failing;
    found.push(
      `storing usage has failed since ${new Date(sinceMs).toISOString()}, and usage waits in memory: ${reason}`,
    );
  }
  if (rules?.unsaved) {
    const { sinceMs, reason } = rules.unsaved;
    found.push(
      `writing the snapshot of the ruleset has failed since ${new Date(sinceMs).toISOString()}, and a start without PostgreSQL has older rules or none: ${reason}`,
    );
  }
  if (rules?.invalid !== undefined) {
    found.push(`the stored ruleset is invalid, version ${rules.version} stays in force: ${rules.invalid}`);
  }
  found.push(...(rules?.unknown ?? []), ...describeRegions(regions?.regionShare(), regions?.regionCounts()));
  return found;
}

/** Describes the exchange between regions. A state is undefined if regions exchange nothing. */
function describeRegions(share: RegionShareState | undefined, counts: CountExchangeState | undefined): string[] {
  const found: string[] = [];
  if (share?.isLate) {
    found.push(
      `the share of region ${share.region} was not read in its Redis for ${ageOf(share.ageMs)}: split limits use ${share.percent} %`,
    );
  }
  for (const name of counts?.late ?? []) {
    found.push(
      `the counts of region ${name} were not read for ${ageOf(counts!.readAgeMs[name]!)}: watched limits lack the operations of that region`,
    );
  }
  if (counts && counts.dropped > 0) {
    found.push(`${counts.dropped} counts were not published for other regions, because too many waited for Redis`);
  }
  if (counts && counts.unreadable > 0) {
    found.push(`${counts.unreadable} counts of other regions are invalid: run the same version in all regions`);
  }
  return found;
}

const ageOf = (ms: number) => (Number.isFinite(ms) ? `${Math.round(ms / 1000)} s` : 'the time since the start');
