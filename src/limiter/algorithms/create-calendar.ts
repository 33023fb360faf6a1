import type { CalendarPeriod } from '../../model/limit-parameters.js';
import { zoneClock } from './zone-clock.js';

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
  /** Monday as 1 for `WEEK`, else the day of the month. Without effect on `HOUR` and `DAY`. */
  readonly day: number;
  /** Month of the first period, from 0: of the year for `YEAR`, of the quarter for `QUARTER`. */
  readonly month: number;
  /** Local time of a boundary, in minutes. */
  readonly minutes: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Monday, 5 January 1970, as a number of days. */
const FIRST_MONDAY = 4;
const MONTHS: Readonly<Partial<Record<CalendarPeriod, number>>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };

/** Number of cached windows: requests need the current one and its neighbors. */
const MAX_WINDOWS = 8;

/**
 * Creates the calendar of a schedule. Boundaries are local times, so the periods of a zone with
 * daylight saving time differ in length. A boundary that the local clocks skip is the first moment
 * after the gap; of a repeated one, the first counts.
 */
export function createCalendar(schedule: CalendarSchedule): Calendar {
  const clock = zoneClock(schedule.timeZone);
  const windows: CalendarWindow[] = [];
  let next = 0;
  let latest: CalendarWindow = { startMs: 0, endMs: 0 };

  function compute(timeMs: number): CalendarWindow {
    let index = indexOf(schedule, clock.localOf(timeMs));
    let startMs = clock.firstTimeAt(boundaryOf(schedule, index));
    while (startMs > timeMs) startMs = clock.firstTimeAt(boundaryOf(schedule, --index));
    for (;;) {
      const endMs = clock.firstTimeAt(boundaryOf(schedule, ++index));
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

/** Returns the number of the period that contains a local time, or of a neighbor of it. */
function indexOf({ every, day, month }: CalendarSchedule, localMs: number): number {
  if (every === 'HOUR') return Math.floor(localMs / HOUR_MS);
  const days = Math.floor(localMs / DAY_MS);
  if (every === 'DAY') return days;
  if (every === 'WEEK') return Math.floor((days - FIRST_MONDAY - (day - 1)) / 7);
  const date = new Date(localMs);
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth() - month) / MONTHS[every]!);
}

/** Returns the local time at which a period starts. */
function boundaryOf({ every, day, month, minutes }: CalendarSchedule, index: number): number {
  const timeMs = minutes * MINUTE_MS;
  if (every === 'HOUR') return index * HOUR_MS + timeMs;
  if (every === 'DAY') return index * DAY_MS + timeMs;
  if (every === 'WEEK') return (index * 7 + FIRST_MONDAY + day - 1) * DAY_MS + timeMs;
  const months = index * MONTHS[every]! + month;
  // Day 0 of the next month is the last day of this one.
  const lastDay = new Date(Date.UTC(2000, months - 24_000 + 1, 0)).getUTCDate();
  return Date.UTC(2000, months - 24_000, Math.min(day, lastDay)) + timeMs;
}
