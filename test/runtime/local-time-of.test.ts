import { describe, expect, it } from 'vitest';
import { isTimeZone } from '../../src/options/is-time-zone.js';
import { instantOf, localTimeOf, weekdayOf } from '../../src/runtime/local-time-of.js';

/** Reads `2026-03-29 02:30`. */
function local(text: string) {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/[- :]/).map(Number);
  return { year, month, day, hour, minute };
}

const iso = (zone: string, text: string) => new Date(instantOf(zone, local(text))).toISOString();

describe('local times', () => {
  it.each([
    ['Europe/Berlin', '2026-01-15 12:00', '2026-01-15T11:00:00.000Z'],
    ['Europe/Berlin', '2026-07-15 12:00', '2026-07-15T10:00:00.000Z'],
    ['Asia/Kathmandu', '2026-07-15 12:00', '2026-07-15T06:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-07-15 00:00', '2026-07-14T10:00:00.000Z'],
    ['America/New_York', '2026-12-31 23:59', '2027-01-01T04:59:00.000Z'],
  ])('finds the instant of a time in %s on %s', (zone, text, expected) => {
    expect(iso(zone, text)).toBe(expected);
    expect(localTimeOf(zone, Date.parse(expected))).toEqual(local(text));
  });

  it.each([
    ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:30:00.000Z'],
    ['Pacific/Apia', '2011-12-30 12:00', '2011-12-30T10:00:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04 00:00', '2018-11-04T03:00:00.000Z'],
  ])('maps a time that clocks in %s skip to the end of the gap: %s', (zone, text, expected) => {
    expect(iso(zone, text)).toBe(expected);
  });

  it.each([
    ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05 01:45', '2026-04-04T14:45:00.000Z'],
  ])('maps a time that exists twice in %s to the first of the two: %s', (zone, text, expected) => {
    expect(iso(zone, text)).toBe(expected);
  });

  it.each([
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Asia/Kathmandu',
  ])('returns to the same instant through the local time, except for repeated times, in %s', (zone) => {
    const from = Date.UTC(2026, 0, 1);
    for (let hours = 0; hours < 365 * 24; hours += 7) {
      const at = from + hours * 3_600_000;
      const back = instantOf(zone, localTimeOf(zone, at));
      if (back !== at) expect(localTimeOf(zone, back)).toEqual(localTimeOf(zone, at));
      expect(back).toBeLessThanOrEqual(at);
    }
  });

  it('overflows days of the month, and knows the day of the week', () => {
    expect(iso('UTC', '2026-02-29 00:00')).toBe('2026-03-01T00:00:00.000Z');
    expect(weekdayOf({ year: 2026, month: 11, day: 27 })).toBe(5);
    expect(weekdayOf({ year: 2026, month: 11, day: 29 })).toBe(7);
  });

  it('knows names of time zones, and rejects offsets and unknown names', () => {
    expect(['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'Asia/Kolkata'].every(isTimeZone)).toBe(true);
    expect(['+01:00', 'Europe/Berlln', '', 'Berlin'].some(isTimeZone)).toBe(false);
  });
});
