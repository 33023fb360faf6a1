import { show } from '../../model/describe-problems.js';
import type { ChargeSubject } from '../../model/subject.js';
import { isCalendarDate } from '../../options/is-calendar-date.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { scheduleFrom, withSchedule } from '../algorithms/limit-calendar.js';
import { inheritSource } from './source-of.js';

/**
 * Variants of each limit by their schedules. A limit has at most 366, because most billing anchors
 * share a schedule with others.
 */
const variants = new WeakMap<Limit, Map<string, Limit>>();

/**
 * Returns the limit with the periods of this subject. Billing anchors with the same periods share
 * one object, because engines compare limits as objects.
 * @throws TypeError if the billing anchor is not a date
 */
export function anchoredLimit(limit: Limit, { billingAnchor }: ChargeSubject): Limit {
  const { calendar } = limit;
  if (calendar === undefined || !calendar.isAnchoredToSubject || billingAnchor === undefined) return limit;
  if (!isCalendarDate(billingAnchor)) {
    throw new TypeError(`subject.billingAnchor: expected a date as YYYY-MM-DD, got ${show(billingAnchor)}`);
  }
  let known = variants.get(limit);
  if (known === undefined) {
    known = new Map();
    variants.set(limit, known);
  }
  const schedule = scheduleFrom(calendar, billingAnchor);
  const name = `${schedule.month}-${schedule.day}`;
  let variant = known.get(name);
  if (variant === undefined) {
    variant = { ...limit, calendar: withSchedule(calendar, schedule) };
    inheritSource(variant, limit);
    known.set(name, variant);
  }
  return variant;
}
