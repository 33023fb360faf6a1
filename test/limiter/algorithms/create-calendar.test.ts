import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCalendar } from '../../../src/limiter/algorithms/create-calendar.js';
import { limitCalendarOf, scheduleFrom } from '../../../src/limiter/algorithms/limit-calendar.js';
import { CALENDAR_PERIODS, type CalendarParameters } from '../../../src/model/limit-parameters.js';
import { periodAt } from '../period-at.js';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'America/Sao_Paulo',
];
const FROM = Date.UTC(1995, 0, 1);
const UNTIL = Date.UTC(2036, 0, 1);
const HOUR_MS = 3_600_000;

/** Returns the period that contains a time, as the code under test computes it. */
function windowAt(parameters: CalendarParameters, time: number, billingAnchor?: string) {
  const calendar = limitCalendarOf(parameters);
  const schedule = billingAnchor === undefined ? calendar.schedule : scheduleFrom(calendar, billingAnchor);
  const { startMs, endMs } = createCalendar(schedule).windowAt(time);
  return { start: startMs, end: endMs };
}

const times = fc.oneof(
  fc.integer({ min: FROM, max: UNTIL }),
  // Most clocks change in these months, at night or at midnight.
  fc
    .record({
      year: fc.integer({ min: 1995, max: 2035 }),
      month: fc.constantFrom(1, 2, 3, 8, 9, 10),
      day: fc.integer({ min: 1, max: 31 }),
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.constantFrom(0, 29, 30, 31, 59),
    })
    .map(({ year, month, day, hour, minute }) => Date.UTC(year, month, day, hour, minute)),
);
const clockTimes = fc.constantFrom('00:00', '00:30', '01:30', '02:00', '02:30', '03:00', '12:15', '23:59');
const schedules = fc
  .record({
    every: fc.constantFrom(...CALENDAR_PERIODS),
    timeZone: fc.constantFrom(...ZONES),
    anchorTime: clockTimes,
    day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(28, 29, 30, 31)),
  })
  .map(({ every, timeZone, anchorTime, day }): CalendarParameters => {
    if (every === 'HOUR') return { every, timeZone, anchorTime: `00:${anchorTime.slice(3)}` };
    if (every === 'DAY') return { every, timeZone, anchorTime };
    return { every, timeZone, anchorTime, anchorDay: every === 'WEEK' ? 1 + (day % 7) : day };
  });

describe('the periods of a calendar', () => {
  test('each period from 1995 to 2035 is the one that Temporal computes, in zones with all kinds of changes', () => {
    fc.assert(
      fc.property(schedules, times, (parameters, time) => {
        expect(windowAt(parameters, time)).toEqual(periodAt(parameters, time));
      }),
      { numRuns: 1500 },
    );
  });

  test('each period from a billing anchor is the one that Temporal computes by adding to that date', () => {
    const anchors = fc.oneof(
      fc.date({ min: new Date('1995-01-01'), max: new Date('2030-12-31'), noInvalidDate: true }),
      fc.constantFrom(...['2000-01-31', '2004-02-29', '2001-11-30', '1999-12-31'].map((date) => new Date(date))),
    );
    fc.assert(
      fc.property(schedules, anchors, times, (schedule, anchor, time) => {
        fc.pre(schedule.every !== 'HOUR' && schedule.every !== 'DAY');
        const billingAnchor = anchor.toISOString().slice(0, 10);
        const parameters: CalendarParameters = { ...schedule, anchor: 'SUBJECT' };
        expect(windowAt(parameters, time, billingAnchor)).toEqual(periodAt(parameters, time, billingAnchor));
      }),
      { numRuns: 1500 },
    );
  });

  test.for([
    29, 30, 31,
  ])('months from day %i follow one another from 1995 to 2035, through leap and common years', (day) => {
    for (const timeZone of ['UTC', 'Pacific/Apia', 'America/New_York']) {
      const parameters: CalendarParameters = { every: 'MONTH', timeZone, anchorDay: day };
      const { windowAt: at } = limitCalendarOf(parameters);
      let count = 0;
      for (let time = FROM; time < UNTIL; time = at(time).endMs) {
        const { startMs, endMs } = at(time);
        expect({ start: startMs, end: endMs }).toEqual(periodAt(parameters, time));
        count++;
      }
      expect(count).toBe(41 * 12 + 1);
    }
  });

  test('a month from the 31st starts on the last day of shorter months, and on the 31st again after them', () => {
    const { windowAt: at } = limitCalendarOf({ every: 'MONTH', anchorDay: 31 });
    const starts = (year: number) =>
      [0, 1, 2, 3].map((month) => new Date(at(Date.UTC(year, month, 28)).endMs).toISOString().slice(5, 10));
    expect(starts(2024)).toEqual(['01-31', '02-29', '03-31', '04-30']);
    // On 28 February 2023 the period that starts on this day has begun.
    expect(starts(2023)).toEqual(['01-31', '03-31', '03-31', '04-30']);
  });

  test('days with a change of the clocks have 23 and 25 hours, in Lord Howe 23.5 and 24.5', () => {
    const hoursOf = (timeZone: string, ...date: [number, number, number]) => {
      const { startMs, endMs } = limitCalendarOf({ every: 'DAY', timeZone }).windowAt(Date.UTC(...date, 12));
      return (endMs - startMs) / HOUR_MS;
    };
    expect(hoursOf('Europe/Berlin', 2024, 2, 31)).toBe(23);
    expect(hoursOf('Europe/Berlin', 2024, 9, 27)).toBe(25);
    expect(hoursOf('America/New_York', 2024, 2, 10)).toBe(23);
    expect(hoursOf('America/New_York', 2024, 10, 3)).toBe(25);
    expect(hoursOf('Australia/Lord_Howe', 2024, 9, 6)).toBe(23.5);
    expect(hoursOf('Australia/Lord_Howe', 2024, 3, 7)).toBe(24.5);
  });

  test('30 December 2011 is no period of Apia: the day before is followed by the day after', () => {
    const { windowAt: at } = limitCalendarOf({ every: 'DAY', timeZone: 'Pacific/Apia' });
    const last = at(Date.UTC(2011, 11, 30, 9, 59));
    expect(last).toEqual({ startMs: Date.UTC(2011, 11, 29, 10), endMs: Date.UTC(2011, 11, 30, 10) });
    expect(at(last.endMs)).toEqual({ startMs: last.endMs, endMs: Date.UTC(2011, 11, 31, 10) });
  });

  test('a boundary that the clocks skip is the first moment after the gap, and of a repeated one the first counts', () => {
    const { windowAt: at } = limitCalendarOf({ every: 'DAY', timeZone: 'Europe/Berlin', anchorTime: '02:30' });
    expect(new Date(at(Date.UTC(2024, 2, 30, 12)).endMs).toISOString()).toBe('2024-03-31T01:00:00.000Z');
    expect(new Date(at(Date.UTC(2024, 9, 26, 12)).endMs).toISOString()).toBe('2024-10-27T00:30:00.000Z');
  });

  test('a calendar computes a period once, however often it is asked for', () => {
    const { windowAt: at } = limitCalendarOf({ every: 'MONTH', timeZone: 'Europe/Berlin' });
    const may = at(Date.UTC(2024, 4, 10));
    for (let day = 1; day < 28; day++) expect(at(Date.UTC(2024, 4, day))).toBe(may);
    at(Date.UTC(2024, 5, 10));
    expect(at(Date.UTC(2024, 4, 11))).toBe(may);
  });
});
