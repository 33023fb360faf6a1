import type { CalendarBudget } from '../../model/limit-parameters.js';

/** Returns warnings about effects of a changed calendar budget that may be unintended. */
export function calendarWarnings(before: CalendarBudget, after: CalendarBudget): string[] {
  if (after.every !== before.every || (after.carryOver === undefined) !== (before.carryOver === undefined)) {
    return ['the budget continues with another counter: usage of the current period does not count there'];
  }
  if ((after.hardCap ?? after.amount) >= (before.hardCap ?? before.amount)) return [];
  return ['the budget gets smaller: used tokens stay used, so some callers may be denied until the next period'];
}
