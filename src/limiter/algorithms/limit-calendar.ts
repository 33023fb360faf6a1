import { type CalendarParameters, LONGEST_PERIOD_MS } from '../../model/limit-parameters.js';
import { weekdayOf } from '../../runtime/local-time-of.js';
import { type Calendar, type CalendarSchedule, type CalendarWindow, createCalendar } from './create-calendar.js';

/**
 * Parameters of a calendar window limit, with derived values. The counter of such a limit starts a
 * period at `maxCarry` minus the amount that is carried over. It is therefore `maxCarry` when the
 * carried amount is used up, and a missing counter equals one with the largest carried amount.
 */
export interface LimitCalendar {
  readonly schedule: CalendarSchedule;
  readonly isAnchoredToSubject: boolean;
  /** Amount that a period includes. */
  readonly amount: number;
  /** Percentage of the unused amount that the next period gets; 0 if nothing is carried over. */
  readonly percent: number;
  /** Largest amount that can be carried over. */
  readonly maxCarry: number;
  /**
   * Time after the end of a period for which its counter still has an effect, in milliseconds. It is
   * 0 unless unused amounts are carried over; then it is longer than any next period.
   */
  readonly keptMs: number;
  /** Returns the period that contains a time. */
  windowAt(timeMs: number): CalendarWindow;
}

/** Time by which a zone that repeats a whole day makes a period longer, in milliseconds. */
const REPEATED_DAY_MS = 86_400_000;

/** Creates the calendar of a limit from valid parameters. */
export function limitCalendarOf(parameters: CalendarParameters & { amount?: number }): LimitCalendar {
  const { amount = 1, every = 'DAY', timeZone = 'UTC', anchorDay = 1, anchorTime = '00:00' } = parameters;
  const { anchor = 'CALENDAR', carryOver } = parameters;
  const [hours, minutes] = anchorTime.split(':').map(Number) as [number, number];
  const schedule = { every, timeZone, day: anchorDay, month: 0, minutes: hours * 60 + minutes };
  const { windowAt } = createCalendar(schedule);
  return {
    schedule,
    isAnchoredToSubject: anchor === 'SUBJECT',
    amount,
    percent: carryOver?.percent ?? 0,
    maxCarry: carryOver === undefined ? 0 : Math.min(carryOver.max, percentOf(amount, carryOver.percent)),
    keptMs: carryOver === undefined ? 0 : LONGEST_PERIOD_MS[every] + REPEATED_DAY_MS,
    windowAt,
  };
}

/** Returns the part of an amount, rounded down. */
function percentOf(amount: number, percent: number): number {
  // Exact: the product is less than 2^47.
  return Math.floor((amount * percent) / 100);
}

/**
 * Returns the count with which a period starts, from the count with which the period before ended.
 * The earlier period first used the amount that was carried into it. The rest of that amount is
 * lost.
 */
export function countAfter({ amount, percent, maxCarry }: LimitCalendar, count: number): number {
  const unused = amount - Math.max(0, Math.min(count - maxCarry, amount));
  return maxCarry - Math.min(maxCarry, percentOf(unused, percent));
}

/**
 * Returns the schedule whose periods are counted from a billing anchor, which is a date such as
 * `2024-01-31`. Many anchors have the same schedule.
 */
export function scheduleFrom({ schedule }: LimitCalendar, billingAnchor: string): CalendarSchedule {
  const [year, month, day] = billingAnchor.split('-').map(Number) as [number, number, number];
  switch (schedule.every) {
    case 'HOUR':
    case 'DAY':
      return schedule;
    case 'WEEK':
      return { ...schedule, day: weekdayOf({ year, month, day }) };
    case 'MONTH':
      return { ...schedule, day };
    case 'QUARTER':
      return { ...schedule, day, month: (month - 1) % 3 };
    case 'YEAR':
      return { ...schedule, day, month: month - 1 };
  }
}

/** Returns the same calendar with other boundaries. */
export function withSchedule(calendar: LimitCalendar, schedule: CalendarSchedule): LimitCalendar {
  const { windowAt }: Calendar = createCalendar(schedule);
  return { ...calendar, schedule, windowAt };
}
