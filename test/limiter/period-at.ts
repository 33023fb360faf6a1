import { Temporal } from 'temporal-polyfill';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { CalendarPeriod } from '../../src/model/limit-parameters.js';

type Schedule = Pick<LimitCharge, 'every' | 'timeZone' | 'anchorDay' | 'anchorTime' | 'anchor'>;

interface Period {
  /** Epoch milliseconds. */
  start: number;
  end: number;
}

/** Length of each period in Temporal's units, and its approximate length in days. */
const UNITS = {
  HOUR: [{ hours: 1 }, 1 / 24],
  DAY: [{ days: 1 }, 1],
  WEEK: [{ weeks: 1 }, 7],
  MONTH: [{ months: 1 }, 30.44],
  QUARTER: [{ months: 3 }, 91.31],
  YEAR: [{ years: 1 }, 365.24],
} as const satisfies Record<CalendarPeriod, readonly [Record<string, number>, number]>;

/** Results by schedule: the current period and others that were asked for. */
const known = new Map<string, Period[]>();

/**
 * Returns the period of a calendar window that contains a time, with Temporal: a second
 * implementation of src/limiter/algorithms/create-calendar.ts. It adds whole periods to an anchor,
 * where the code under test computes with numbers of days and months.
 */
export function periodAt(schedule: Schedule, time: number, billingAnchor?: string): Period {
  const { every, timeZone, anchorDay, anchorTime, anchor } = schedule;
  const key = JSON.stringify([every, timeZone, anchorDay, anchorTime, anchor, billingAnchor]);
  const periods = known.get(key) ?? [];
  known.set(key, periods);
  let found = periods.find(({ start, end }) => time >= start && time < end);
  if (!found) {
    found = compute(schedule, time, billingAnchor);
    periods.push(found);
  }
  return found;
}

function compute(schedule: Schedule, time: number, billingAnchor?: string): Period {
  const { timeZone = 'UTC', every = 'DAY' } = schedule;
  const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone);
  const first = anchorOf(schedule, billingAnchor);
  const [length, approximateDays] = UNITS[every];
  let n = Math.floor(zoned.toPlainDateTime().since(first).total({ unit: 'hours' }) / 24 / approximateDays - 2);
  const boundary = (index: number) =>
    firstInstant(
      first.add(Object.fromEntries(Object.entries(length).map(([unit, count]) => [unit, count * index]))),
      timeZone,
    );
  while (boundary(n + 1) <= time) n++;
  return { start: boundary(n), end: boundary(n + 1) };
}

/** Returns a local time at which a period starts. All others are whole periods later or earlier. */
function anchorOf({ every, anchorDay = 1, anchorTime = '00:00', anchor }: Schedule, billingAnchor?: string) {
  const time = Temporal.PlainTime.from(anchorTime);
  if (anchor === 'SUBJECT' && billingAnchor) return Temporal.PlainDate.from(billingAnchor).toPlainDateTime(time);
  // 1 January 2001 was a Monday. January has 31 days, so no anchor is clamped.
  const day = every === 'HOUR' || every === 'DAY' ? 1 : anchorDay;
  return new Temporal.PlainDate(2001, 1, day).toPlainDateTime(time);
}

/** Returns the first instant of a local time; of a skipped one, the first instant after the gap. */
function firstInstant(local: Temporal.PlainDateTime, timeZone: string): number {
  const early = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (early.toPlainDateTime().equals(local)) return early.epochMilliseconds;
  return early.getTimeZoneTransition('next')!.epochMilliseconds;
}
