import { show } from '../../model/describe-problems.js';
import type { LimitParameters } from '../../model/limit-parameters.js';
import { type Scope, sharesBillingAnchor } from '../../model/subject.js';
import { findCalendarMistakes } from '../../options/find-calendar-mistakes.js';
import { isWholeNumber } from '../../options/is-whole-number.js';
import type { ParameterReader } from '../algorithms/limit-algorithm.js';
import { type LimitCalendar, limitCalendarOf } from '../algorithms/limit-calendar.js';

/** Members of a charge that its parameters are read from. */
type ReadCharge = LimitParameters & { id: string; scope: Scope; maxDebt?: number; maxDelayMs?: number };

/**
 * Returns the reader of a charge's parameters.
 * @param share the part of the parameters that a region enforces. Its amounts may be 0
 */
export function parameterReader(charge: ReadCharge, index: number, share?: ReadCharge): ParameterReader {
  const parameters = share ?? charge;
  const fail: ParameterReader['fail'] = (field, expected, got) => invalidMember(charge, index, field, expected, got);
  const whole: ParameterReader['whole'] = (field, from, to) => {
    const value = parameters[field];
    if (isWholeNumber(value, share ? 0 : from, to)) return value;
    throw fail(field, `a whole number from ${from} to ${to}`, value);
  };
  return {
    whole,
    optional: (field, otherwise, to) => (parameters[field] === undefined ? otherwise : whole(field, 0, to)),
    calendar: () => (share ? limitCalendarOf(share) : calendarOf(charge, index)),
    fail,
  };
}

/** @throws TypeError that lists all mistakes in the parameters of the calendar */
function calendarOf(charge: ReadCharge, index: number): LimitCalendar {
  const mistakes = [...findCalendarMistakes(charge)];
  if (charge.anchor === 'SUBJECT' && !sharesBillingAnchor(charge.scope)) {
    mistakes.push({ path: ['anchor'], message: `has no effect on the scope ${charge.scope}: remove it` });
  }
  if (mistakes.length === 0) return limitCalendarOf(charge);
  const place = `limits[${index}] ${show(charge.id)}`;
  throw new TypeError(mistakes.map(({ path, message }) => `${place}: ${path.join('.')}: ${message}`).join('\n'));
}

/** Returns the error for a member of a charge. */
export function invalidMember(
  { id }: Pick<ReadCharge, 'id'>,
  index: number,
  field: string,
  expected: string,
  got: unknown,
): TypeError {
  return new TypeError(`limits[${index}] ${show(id)}: ${field}: expected ${expected}, got ${show(got)}`);
}
