import { show } from '../../model/describe-problems.js';
import type { ChargeSubject } from '../../model/subject.js';
import { isCalendarDate } from '../../options/is-calendar-date.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import { type LimitCalendar, scheduleFrom, withSchedule } from '../algorithms/limit-calendar.js';
import { inheritSource } from './source-of.js';

/** Variants of one limit. */
interface Variants {
  /** Variant of each schedule. There are at most 366: most billing anchors share a schedule. */
  readonly bySchedule: Map<string, Limit>;
  /** Variant of each billing anchor, so that a charge parses no date. */
  readonly byAnchor: Map<string, Limit>;
}

const variantsOf = new WeakMap<Limit, Variants>();

/** Maximum number of billing anchors in memory, for each limit: those of 27 years. */
const MAX_ANCHORS = 10_000;

/**
 * Returns the limit with the periods of this subject. Billing anchors with the same periods share
 * one object, because engines compare limits as objects.
 * @throws TypeError if the billing anchor is not a date
 */
export function anchoredLimit(limit: Limit, { billingAnchor }: ChargeSubject): Limit {
  const { calendar } = limit;
  if (calendar === undefined || !calendar.isAnchoredToSubject || billingAnchor === undefined) return limit;
  let variants = variantsOf.get(limit);
  if (variants === undefined) {
    variants = { bySchedule: new Map(), byAnchor: new Map() };
    variantsOf.set(limit, variants);
  }
  return variants.byAnchor.get(billingAnchor) ?? addAnchor(variants, limit, calendar, billingAnchor);
}

function addAnchor(
  { bySchedule, byAnchor }: Variants,
  limit: Limit,
  calendar: LimitCalendar,
  billingAnchor: string,
): Limit {
  if (!isCalendarDate(billingAnchor)) {
    throw new TypeError(`subject.billingAnchor: expected a date as YYYY-MM-DD, got ${show(billingAnchor)}`);
  }
  const schedule = scheduleFrom(calendar, billingAnchor);
  const name = `${schedule.month}-${schedule.day}`;
  let variant = bySchedule.get(name);
  if (variant === undefined) {
    variant = { ...limit, calendar: withSchedule(calendar, schedule) };
    inheritSource(variant, limit);
    bySchedule.set(name, variant);
  }
  if (byAnchor.size >= MAX_ANCHORS) byAnchor.clear();
  byAnchor.set(billingAnchor, variant);
  return variant;
}
