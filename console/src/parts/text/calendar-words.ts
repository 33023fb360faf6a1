import type { CalendarWindowLimitInput } from '../../generated/graphql.js';
import { calendarText as text } from '../../text/calendar-text.js';
import { whole } from './format.js';

/** Members of a calendar window in a form. A number that is still missing is NaN. */
export type CalendarDraft = Omit<CalendarWindowLimitInput, 'key' | 'countDenied'>;

/**
 * Describes a calendar window: `10,000 tokens per month (Europe/Berlin), from day 15, overage up to
 * 12,000`.
 * @param amount the included amount with its unit
 * @param whose callers who share the limit, with a space before them; empty if the sentence names
 * them
 * @param missing text for a number that is still missing
 */
export function calendarWords(calendar: CalendarDraft, amount: string, whose: string, missing: string): string {
  const { every, timeZone, anchor, anchorDay, anchorTime, hardCap, carryOver } = calendar;
  const shown = (number: number) => (Number.isNaN(number) ? missing : whole(number));
  const day = anchor === 'SUBJECT' ? text.fromBilling : (anchorDay ?? 1) === 1 ? '' : text.fromDay(shown(anchorDay!));
  const time = (anchorTime ?? '00:00') === '00:00' ? '' : text.atTime(anchorTime!);
  const start = [day, time].filter((part) => part !== '').join(' ');
  return [
    text.limit(amount, every, whose, timeZone ?? 'UTC'),
    ...(start === '' ? [] : [start]),
    ...(hardCap == null || hardCap === calendar.amount ? [] : [text.overageUpTo(shown(hardCap))]),
    ...(carryOver ? [text.carriesOver(shown(carryOver.percent), shown(carryOver.max))] : []),
  ].join(', ');
}
