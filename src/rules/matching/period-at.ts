import { LRUCache } from 'lru-cache';
import { type RuleSchedule, type RuleTimes, WEEKDAYS } from '../../model/rule.js';
import { instantOf, localTimeOf, weekdayOf } from '../../runtime/local-time-of.js';

/** Period in which a rule either applies or does not apply. Times are epoch milliseconds. */
interface RulePeriod {
  readonly applies: boolean;
  /** End of the period. Infinity if nothing changes any more. */
  readonly untilMs: number;
}

const ALWAYS: RulePeriod = { applies: true, untilMs: Number.POSITIVE_INFINITY };
const NEVER: RulePeriod = { applies: false, untilMs: Number.POSITIVE_INFINITY };

/** Returns whether a rule applies only at certain times. */
export function isTimed({ schedule, activeFrom, activeUntil }: RuleTimes): boolean {
  return schedule !== undefined || activeFrom !== undefined || activeUntil !== undefined;
}

/**
 * Returns whether a rule applies at an instant, and the end of this period. The next period may have
 * the same result: the end is only the time of the next check.
 */
export function periodAt({ schedule, activeFrom, activeUntil }: RuleTimes, atMs: number): RulePeriod {
  const fromMs = activeFrom === undefined ? Number.NEGATIVE_INFINITY : Date.parse(activeFrom);
  const endMs = activeUntil === undefined ? Number.POSITIVE_INFINITY : Date.parse(activeUntil);
  if (atMs >= endMs || fromMs >= endMs) return NEVER;
  if (atMs < fromMs) return { applies: false, untilMs: fromMs };
  const { applies, untilMs } = schedule === undefined ? ALWAYS : scheduledAt(schedule, atMs);
  if (untilMs < endMs) return { applies, untilMs };
  return applies ? { applies, untilMs: endMs } : NEVER;
}

/** Maximum number of periods that are examined to find the next change. If it is late, they cover a year. */
const MAX_PERIODS = 60;

/**
 * Returns the first time from `atMs` on at which a rule applies. Returns undefined if there is none.
 * @param isToApply if false, the function looks for a time at which the rule does not apply
 */
export function nextTimeOf(times: RuleTimes, atMs: number, isToApply = true): number | undefined {
  let at = atMs;
  for (let count = 0; count < MAX_PERIODS && at < Number.POSITIVE_INFINITY; count++) {
    const { applies, untilMs } = periodAt(times, at);
    if (applies === isToApply) return at;
    at = untilMs;
  }
  return undefined;
}

/**
 * Latest period of each schedule. Many rules may share a schedule, so that each period is computed
 * once for all of them.
 */
const periods = new LRUCache<string, RulePeriod & { sinceMs: number }>({ max: 10_000 });

function scheduledAt(schedule: RuleSchedule, atMs: number): RulePeriod {
  const { timeZone, days = WEEKDAYS, from, to } = schedule;
  if (days.length === 0 || from === to) return NEVER;
  if (days.length === WEEKDAYS.length && from === '00:00' && to === '24:00') return ALWAYS;
  const key = `${timeZone} ${days.join()} ${from} ${to}`;
  const known = periods.get(key);
  if (known && known.sinceMs <= atMs && atMs < known.untilMs) return known;
  const found = { ...findPeriod({ timeZone, days, from, to }, atMs), sinceMs: atMs };
  periods.set(key, found);
  return found;
}

/** Number of following days that are examined. They include each day of the week. */
const DAYS_AHEAD = 8;

function findPeriod({ timeZone, days, from, to }: Required<RuleSchedule>, atMs: number): RulePeriod {
  const [fromHour = 0, fromMinute = 0] = from.split(':').map(Number);
  const [toHour = 0, toMinute = 0] = to.split(':').map(Number);
  const { year, month, day } = localTimeOf(timeZone, atMs);
  const endsNextDay = to < from ? 1 : 0;
  let endMs: number | undefined;
  // Hours that began on the day before may still last.
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
    const date = { year, month, day: day + ahead };
    if (!days.includes(WEEKDAYS[weekdayOf(date) - 1]!)) continue;
    const startsMs = instantOf(timeZone, { ...date, hour: fromHour, minute: fromMinute });
    if (endMs !== undefined && startsMs > endMs) return { applies: true, untilMs: endMs };
    const lastDay = { ...date, day: date.day + endsNextDay };
    const stopsMs = instantOf(timeZone, { ...lastDay, hour: toHour, minute: toMinute });
    // No hours are left if the clocks skip all of them.
    if (stopsMs <= atMs || stopsMs <= startsMs) continue;
    if (endMs === undefined && startsMs > atMs) return { applies: false, untilMs: startsMs };
    endMs = Math.max(stopsMs, endMs ?? 0);
  }
  // The period is longer than the days that were examined. Its end is computed later.
  const examinedMs = instantOf(timeZone, { year, month, day: day + DAYS_AHEAD, hour: 0, minute: 0 });
  return { applies: endMs !== undefined, untilMs: endMs ?? examinedMs };
}
