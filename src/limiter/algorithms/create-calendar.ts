import type { CalendarPeriod } from '../../model/limit-parameters.js';
import { instantOf, localTimeOf } from '../../runtime/local-time-of.js';

/** A period of a calendar, in epoch milliseconds. It contains its start, but not its end. */
export interface CalendarWindow {
  readonly startMs: number;
  readonly endMs: number;
}

/** The periods of one calendar window limit. */
export interface Calendar {
  /** Returns the period that contains a time. Recent results are cached. */
  windowAt(timeMs: number): CalendarWindow;
}

/** Parameters that determine the boundaries of the periods. */
export interface CalendarSchedule {
  readonly every: CalendarPeriod;
  readonly timeZone: string;
  /**
   * Day of the week for `WEEK`, where 1 is Monday; else day of the month. Unused for `HOUR` and
   * `DAY`.
   */
  readonly day: number;
  /**
   * Month in which a period starts, from 0: within the year for `YEAR`, the quarter for `QUARTER`.
   */
  readonly month: number;
  /** Local time of a boundary, in minutes after midnight; for `HOUR`, after the full hour. */
  readonly minutes: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Year from which months and days are counted. */
const FIRST_YEAR = 1970;
/** Number of days from 1 January 1970 to its first Monday. */
const FIRST_MONDAY = 4;
const MONTHS: Readonly<Partial<Record<CalendarPeriod, number>>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };

/** Number of cached windows: requests need the current one and its neighbors. */
const MAX_WINDOWS = 8;

/**
 * Creates the calendar of a schedule. Boundaries are local times, so the periods of a zone with
 * daylight saving time differ in length. If the local clocks skip a boundary, the period starts at
 * the first moment after the gap. If they repeat it, the period starts at the first of the two
 * moments.
 */
export function createCalendar(schedule: CalendarSchedule): Calendar {
  const windows: CalendarWindow[] = [];
  let next = 0;
  let latest: CalendarWindow = { startMs: 0, endMs: 0 };

  const boundary = (index: number) => instantOf(schedule.timeZone, boundaryOf(schedule, index));

  function compute(timeMs: number): CalendarWindow {
    let index = indexOf(schedule, timeMs);
    let startMs = boundary(index);
    while (startMs > timeMs) startMs = boundary(--index);
    for (;;) {
      const endMs = boundary(++index);
      if (endMs > timeMs) return { startMs, endMs };
      startMs = endMs;
    }
  }

  return {
    windowAt(timeMs) {
      if (timeMs >= latest.startMs && timeMs < latest.endMs) return latest;
      let found = windows.find(({ startMs, endMs }) => timeMs >= startMs && timeMs < endMs);
      if (found === undefined) {
        found = compute(timeMs);
        windows[next] = found;
        next = (next + 1) % MAX_WINDOWS;
      }
      latest = found;
      return found;
    },
  };
}

/** Returns the index of the period that contains a time, or of the period before or after it. */
function indexOf({ every, timeZone, day: anchorDay, month: anchorMonth }: CalendarSchedule, timeMs: number): number {
  const { year, month, day, hour } = localTimeOf(timeZone, timeMs);
  const localMs = Date.UTC(year, month - 1, day, hour);
  if (every === 'HOUR') return Math.floor(localMs / HOUR_MS);
  const days = Math.floor(localMs / DAY_MS);
  if (every === 'DAY') return days;
  if (every === 'WEEK') return Math.floor((days - FIRST_MONDAY - (anchorDay - 1)) / 7);
  return Math.floor(((year - FIRST_YEAR) * 12 + month - 1 - anchorMonth) / MONTHS[every]!);
}

/**
 * Returns the local time at which a period starts. Its members may overflow, as `instantOf` allows.
 */
function boundaryOf({ every, day, month, minutes }: CalendarSchedule, index: number) {
  const start = { year: FIRST_YEAR, month: 1, day: 1, hour: Math.floor(minutes / 60), minute: minutes % 60 };
  if (every === 'HOUR') return { ...start, hour: index };
  if (every === 'DAY') return { ...start, day: index + 1 };
  if (every === 'WEEK') return { ...start, day: index * 7 + FIRST_MONDAY + day };
  const months = index * MONTHS[every]! + month;
  // Day 0 of the next month is the last day of this one.
  const lastDay = new Date(Date.UTC(FIRST_YEAR, months + 1, 0)).getUTCDate();
  return { ...start, month: months + 1, day: Math.min(day, lastDay) };
}
