import type { CalendarAnchor, CalendarPeriod } from '../generated/graphql.js';

const PERIODS: Record<CalendarPeriod, string> = {
  HOUR: 'Hour',
  DAY: 'Day',
  WEEK: 'Week',
  MONTH: 'Month',
  QUARTER: 'Quarter',
  YEAR: 'Year',
};

const PER: Record<CalendarPeriod, string> = {
  HOUR: 'per hour',
  DAY: 'per day',
  WEEK: 'per week',
  MONTH: 'per month',
  QUARTER: 'per quarter',
  YEAR: 'per year',
};

const ANCHORS: Record<CalendarAnchor, string> = { CALENDAR: 'Calendar', SUBJECT: 'Billing anchor of the caller' };

/** Texts about calendar windows, for limits of rules and for budgets of tiers. */
export const calendarText = {
  periods: PERIODS,
  anchors: ANCHORS,
  amount: 'Included amount',
  every: 'Every',
  timeZone: 'Time zone',
  anchor: 'Starts at',
  subjectHint: 'A caller without a billing anchor uses the first day below.',
  dayWithout: 'First day without an anchor',
  dayOfWeek: 'First day',
  dayOfWeekHint: '1 is Monday, 7 is Sunday. Empty: 1.',
  dayOfMonth: 'First day',
  dayOfMonthHint: '1 to 31; shorter months start on their last day. Empty: 1.',
  time: 'Start time',
  timeHint: 'In this time zone.',
  hardCap: 'Hard cap',
  hardCapHint: 'Denials start at this amount. Usage above the included amount is overage. Empty: no overage.',
  carryPercent: 'Carry over %',
  carryPercentHint: 'Of the unused amount, to the next period only. Empty: none.',
  carryMax: 'Carry over at most',
  carryMaxHint: 'Maximum amount that is carried over.',

  /** Such as `10,000 tokens per month (Europe/Berlin)`. */
  limit: (amount: string, every: CalendarPeriod, whose: string, timeZone: string) =>
    `${amount} ${PER[every]}${whose} (${timeZone})`,
  fromBilling: 'from the billing day',
  fromDay: (day: string) => `from day ${day}`,
  atTime: (time: string) => `at ${time}`,
  overageUpTo: (hardCap: string) => `overage up to ${hardCap}`,
  carriesOver: (percent: string, max: string) => `${percent}% of the rest carried over, at most ${max}`,
} as const;
