import type { UsageLevel } from '../record/usage-levels.js';
import { DEFAULT_RETENTION, type UsageRetention } from '../record/usage-retention.js';

/** A period of time, including `from` and excluding `to`. */
export interface TimeRange {
  from: Date;
  to: Date;
}

/** A part of a range that is read from the tables of one level. */
export interface RangePart extends TimeRange {
  /** Period of each sum in these tables. Only the usage of callers is summed by week. */
  level: UsageLevel | 'week';
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

export const LEVEL_MS: Readonly<Record<RangePart['level'], number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: WEEK_MS,
};

/** Length of the longest month anywhere: 31 days, in which clocks are set back an hour. */
export const LONGEST_MONTH_MS = 31 * DAY_MS + HOUR_MS;

/**
 * Maximum ranges per level, for queries that return one result per minute, hour or day. The
 * additional hour is for days and months in which clocks are set back.
 */
export const MAX_RANGE_MS: Readonly<Record<UsageLevel, number>> = {
  minute: DAY_MS + HOUR_MS,
  hour: LONGEST_MONTH_MS,
  day: 400 * DAY_MS,
};

/** Extends the range to whole minutes, hours, days or weeks (UTC). */
export function alignRange({ from, to }: TimeRange, level: RangePart['level']): TimeRange {
  const stepMs = LEVEL_MS[level];
  return {
    from: new Date(Math.floor(from.getTime() / stepMs) * stepMs),
    to: new Date(Math.ceil(to.getTime() / stepMs) * stepMs),
  };
}

/**
 * Returns the level for the sum over a range: the shorter the range, the finer the level, if that
 * level is still stored.
 */
export function levelOfRange(
  { from, to }: TimeRange,
  nowMs: number = Date.now(),
  { minutesDays = DEFAULT_RETENTION.minutesDays, hoursDays = DEFAULT_RETENTION.hoursDays }: UsageRetention = {},
): UsageLevel {
  const lengthMs = to.getTime() - from.getTime();
  // The margin of an hour allows for the time until the read and for differences between clocks.
  const ageMs = nowMs - from.getTime() + HOUR_MS;
  if (lengthMs <= 3 * HOUR_MS && ageMs <= minutesDays * DAY_MS) return 'minute';
  return lengthMs <= 8 * DAY_MS && ageMs <= hoursDays * DAY_MS ? 'hour' : 'day';
}

/**
 * Aligns the range to a level. For the level `hour`, it also splits the range: whole days are read
 * from the daily sums, and the hours before and after them from the hourly sums. All levels are
 * written in one transaction, so that the total is exact and current.
 */
export function partsOfRange(range: TimeRange, level: UsageLevel): RangePart[] {
  const whole = alignRange(range, level);
  if (level !== 'hour') return [{ ...whole, level }];
  const firstDayMs = Math.ceil(whole.from.getTime() / DAY_MS) * DAY_MS;
  const lastDayMs = Math.floor(whole.to.getTime() / DAY_MS) * DAY_MS;
  if (firstDayMs >= lastDayMs) return [{ ...whole, level }];
  const days = { from: new Date(firstDayMs), to: new Date(lastDayMs), level: 'day' as const };
  const parts: RangePart[] = [{ from: whole.from, to: days.from, level }, days, { from: days.to, to: whole.to, level }];
  return parts.filter(({ from, to }) => from < to);
}

/**
 * Replaces the days of complete weeks with those weeks.
 * @param completeFrom time before which the weekly sums are incomplete
 */
export function withWeeks(parts: readonly RangePart[], completeFrom: Date): RangePart[] {
  return parts.flatMap((part): RangePart[] => {
    if (part.level !== 'day') return [part];
    const { from, to } = part;
    const firstMs = Math.ceil(Math.max(from.getTime(), completeFrom.getTime()) / WEEK_MS) * WEEK_MS;
    const lastMs = Math.floor(to.getTime() / WEEK_MS) * WEEK_MS;
    if (firstMs >= lastMs) return [part];
    const weeks = { from: new Date(firstMs), to: new Date(lastMs), level: 'week' as const };
    const all: RangePart[] = [{ ...part, to: weeks.from }, weeks, { ...part, from: weeks.to }];
    return all.filter((each) => each.from < each.to);
  });
}
