import { show } from '../model/describe-problems.js';
import {
  CALENDAR_ANCHORS,
  CALENDAR_PERIODS,
  type CalendarParameters,
  type CalendarPeriod,
  MAX_COUNT,
} from '../model/limit-parameters.js';
import { isTimeZone } from './is-time-zone.js';
import { isWholeNumber } from './is-whole-number.js';
import { didYouMean } from './nearest-name.js';
import { TIME_OF_DAY } from './time-of-day.js';
import { timeZones } from './time-zones.js';

type Member = keyof CalendarParameters | 'amount';

/** A mistake in a parameter of a `CALENDAR_WINDOW`. The message does not contain the member. */
interface CalendarMistake {
  /** Path of the parameter, such as `['carryOver', 'percent']`. */
  readonly path: readonly [Member, ...string[]];
  readonly message: string;
}

/**
 * Finds all mistakes in the parameters of a `CALENDAR_WINDOW`, which may have any types. It also
 * reports parameters without effect. An absent parameter is a mistake only if it is required.
 */
export function* findCalendarMistakes(
  parameters: Readonly<Partial<Record<Member, unknown>>>,
  maxAmount: number = MAX_COUNT,
): Iterable<CalendarMistake> {
  const { amount, every, timeZone, anchorDay, anchorTime, anchor, hardCap, carryOver } = parameters;
  const isAmount = isWholeNumber(amount, 1, maxAmount);
  if (!isAmount) yield mistake(['amount'], `a whole number from 1 to ${maxAmount}`, amount);
  const isPeriod = CALENDAR_PERIODS.includes(every as CalendarPeriod);
  if (!isPeriod) yield mistake(['every'], oneOf(CALENDAR_PERIODS), every, CALENDAR_PERIODS);
  if (timeZone !== undefined && !(typeof timeZone === 'string' && isTimeZone(timeZone))) {
    yield mistake(['timeZone'], 'an IANA time zone, such as Europe/Berlin', timeZone, timeZones());
  }
  if (anchorDay !== undefined && isPeriod) yield* findAnchorDayMistake(anchorDay, every as CalendarPeriod);
  if (anchorTime !== undefined && !(typeof anchorTime === 'string' && TIME_OF_DAY.test(anchorTime))) {
    yield mistake(['anchorTime'], 'a local time as HH:MM, such as 06:30', anchorTime);
  } else if (every === 'HOUR' && typeof anchorTime === 'string' && !anchorTime.startsWith('00:')) {
    yield mistake(['anchorTime'], '00:MM, because only the minutes have an effect on HOUR', anchorTime);
  }
  const isAnchor = anchor === undefined || CALENDAR_ANCHORS.includes(anchor as never);
  if (!isAnchor) yield mistake(['anchor'], oneOf(CALENDAR_ANCHORS), anchor, CALENDAR_ANCHORS);
  if (anchor === 'SUBJECT' && (every === 'HOUR' || every === 'DAY')) {
    yield { path: ['anchor'], message: `has no effect on ${every}, because a billing anchor is a date: remove it` };
  }
  if (hardCap !== undefined && !isWholeNumber(hardCap, isAmount ? (amount as number) : 1, maxAmount)) {
    yield mistake(['hardCap'], `a whole number from amount (${show(amount)}) to ${maxAmount}`, hardCap);
  }
  if (carryOver !== undefined) yield* findCarryOverMistakes(carryOver, maxAmount);
}

function* findAnchorDayMistake(anchorDay: unknown, every: CalendarPeriod): Iterable<CalendarMistake> {
  if (every === 'HOUR' || every === 'DAY') {
    yield { path: ['anchorDay'], message: `has no effect on ${every}: remove it` };
  } else if (every === 'WEEK') {
    if (!isWholeNumber(anchorDay, 1, 7)) yield mistake(['anchorDay'], 'a day from 1 (Monday) to 7 for WEEK', anchorDay);
  } else if (!isWholeNumber(anchorDay, 1, 31)) {
    yield mistake(['anchorDay'], 'a day from 1 to 31', anchorDay);
  }
}

function* findCarryOverMistakes(carryOver: unknown, maxAmount: number): Iterable<CalendarMistake> {
  if (typeof carryOver !== 'object' || carryOver === null || Array.isArray(carryOver)) {
    yield mistake(['carryOver'], 'an object { percent, max }', carryOver);
    return;
  }
  const known = ['percent', 'max'];
  for (const name of Object.keys(carryOver)) {
    if (known.includes(name)) continue;
    yield { path: ['carryOver', name], message: `unknown member, expected percent, max${didYouMean(name, known)}` };
  }
  const { percent, max } = carryOver as Record<string, unknown>;
  if (!isWholeNumber(percent, 1, 100)) yield mistake(['carryOver', 'percent'], 'a whole number from 1 to 100', percent);
  if (!isWholeNumber(max, 1, maxAmount))
    yield mistake(['carryOver', 'max'], `a whole number from 1 to ${maxAmount}`, max);
}

function oneOf(values: readonly string[]): string {
  return `one of ${values.join(', ')}`;
}

function mistake(
  path: CalendarMistake['path'],
  expected: string,
  got: unknown,
  known: readonly string[] = [],
): CalendarMistake {
  const meant = typeof got === 'string' ? didYouMean(got, known) : '';
  return { path, message: `expected ${expected}, got ${show(got)}${meant}` };
}
