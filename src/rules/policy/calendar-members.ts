import { z } from 'zod';
import {
  CALENDAR_ANCHORS,
  CALENDAR_PERIODS,
  type CalendarAnchor,
  type CalendarBudget,
  type CalendarPeriod,
  type CarryOver,
  MAX_COUNT,
} from '../../model/limit-parameters.js';
import { findCalendarMistakes } from '../../options/find-calendar-mistakes.js';
import { TIME_OF_DAY } from '../../options/time-of-day.js';
import { membersOf, wholeNumber } from './validators.js';

/**
 * Members of a calendar window, in addition to `amount`. They accept any value here, because
 * `checkCalendar` checks them together and reports all mistakes at once.
 */
export const calendarMembers = {
  every: unchecked<CalendarPeriod>({ enum: [...CALENDAR_PERIODS] }),
  timeZone: unchecked<string>({ type: 'string', description: 'An IANA time zone, such as Europe/Berlin.' }),
  anchorDay: unchecked<number>({ type: 'integer', minimum: 1, maximum: 31 }),
  anchorTime: unchecked<string>({ type: 'string', pattern: TIME_OF_DAY.source }),
  anchor: unchecked<CalendarAnchor>({ enum: [...CALENDAR_ANCHORS] }),
  hardCap: unchecked<number>({ type: 'integer', minimum: 1, maximum: MAX_COUNT }),
  carryOver: unchecked<CarryOver>({
    type: 'object',
    properties: {
      percent: { type: 'integer', minimum: 1, maximum: 100 },
      max: { type: 'integer', minimum: 1, maximum: MAX_COUNT },
    },
    required: ['percent', 'max'],
    additionalProperties: false,
  }),
};

function unchecked<Value>(shape: Record<string, unknown>) {
  return z
    .custom<Value>(() => true)
    .optional()
    .meta(shape);
}

/** Reports the mistakes in the members of a calendar window. */
export function checkCalendar(parameters: object, context: z.RefinementCtx): void {
  for (const { path, message } of findCalendarMistakes(parameters)) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
}

/** Input form of the budget of a tier, and of the calendar of the budget of an API key. */
export const budgetInput = membersOf({ amount: wholeNumber(1, MAX_COUNT), ...calendarMembers }).superRefine(
  checkCalendar,
  // The check requires `every`, which is optional among the members of a limit.
) as unknown as z.ZodType<CalendarBudget, CalendarBudget>;
